import { NameSet } from '../../text/name-set.js';

/**
 * Fields that hold prompts, completions or source code, as words. Counts such as `prompt_tokens`
 * or `completion_rate` are other names and are welcome.
 */
const forbidden_words: readonly string[] = [
  'prompt',
  'prompts',
  'raw prompt',
  'full prompt',
  'system prompt',
  'user prompt',
  'prompt text',
  'prompt body',
  'prompt content',
  'prompt messages',
  'completion',
  'completions',
  'raw completion',
  'completion text',
  'completion content',
  'chat completion',
  'model output',
  'model response',
  'llm output',
  'llm response',
  'response text',
  'generated text',
  'generated code',
  'source code',
  'raw source',
  'raw code',
  'code snippet',
  'code block',
  'code content',
  'file content',
  'file contents',
];

/** Names that are written in their own way. */
const literal_names = ['gen_ai.prompt', 'gen_ai.completion', 'llm.prompts', 'llm.completions'];

/** Every word in the spellings that occur: to look one up is quicker than to normalise a name. */
export const forbidden_names = new NameSet([
  ...literal_names,
  ...forbidden_words.flatMap(spellings),
]);

function spellings(words: string): readonly string[] {
  const parts = words.split(' ');
  const capitals = parts.map((part) => part[0]!.toUpperCase() + part.slice(1));
  return [
    parts.join('_'),
    parts.join('-'),
    parts.join('.'),
    parts.join(''),
    parts.join('_').toUpperCase(),
    [parts[0], ...capitals.slice(1)].join(''),
    capitals.join(''),
  ];
}

/** A number or a flag under such a name counts or measures; only contents are forbidden. */
export function isContent(value: unknown): boolean {
  return typeof value === 'string' ? value !== '' : typeof value === 'object' && value !== null;
}

/** `messages` as chat models take them: a list of objects with a `role`. */
export function isConversation(name: string, value: unknown): boolean {
  if (name !== 'messages' || !Array.isArray(value)) return false;
  return value.some((item) => typeof item === 'object' && item !== null && 'role' in item);
}
