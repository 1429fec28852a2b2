type Expected =
  'value' | 'value or end' | 'name' | 'name or end' | 'colon' | 'comma or end' | 'end';

const white_space = /[ \t\n\r]*/y;
const plain_characters = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;
const scalar = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

/**
 * Where a text stops being JSON, in UTF-16 units: at the first sign that cannot stand there, or at
 * the end of a text that ends too early, as one that is JSON does. It tells a sender what the
 * engine's parser knows and does not always say; time and memory are linear in the text.
 */
export function jsonFaultAt(text: string): number {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let at = passed(white_space, text, 0); at < text.length;) {
    const sign = text[at]!;
    const within = open.at(-1);
    const value: boolean = expected === 'value' || expected === 'value or end';
    const name: boolean = expected === 'name' || expected === 'name or end';
    let next = at + 1;
    if (value && (sign === '{' || sign === '[')) {
      open.push(sign);
      expected = sign === '{' ? 'name or end' : 'value or end';
    } else if (expected.endsWith('or end') && sign === (within === '{' ? '}' : ']')) {
      open.pop();
      expected = afterValue(open);
    } else if (expected === 'comma or end' && sign === ',') {
      expected = within === '{' ? 'name' : 'value';
    } else if (expected === 'colon' && sign === ':') {
      expected = 'value';
    } else if ((value || name) && sign === '"') {
      next = closingQuote(text, at);
      if (text[next] !== '"') return next;
      next += 1;
      expected = name ? 'colon' : afterValue(open);
    } else if (value) {
      next = passed(scalar, text, at);
      if (next === at) return at;
      expected = afterValue(open);
    } else return at;
    at = passed(white_space, text, next);
  }
  return text.length;
}

function afterValue(open: readonly string[]): Expected {
  return open.length === 0 ? 'end' : 'comma or end';
}

/** Where the string that begins at `start` ends, or where it stops being one. */
function closingQuote(text: string, start: number): number {
  for (let at = passed(plain_characters, text, start + 1); ;) {
    const next = passed(escape, text, at);
    if (next === at) return at;
    at = passed(plain_characters, text, next);
  }
}

/** Where the pattern, which must be sticky, no longer matches; `from` when it does not at all. */
function passed(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : from;
}
