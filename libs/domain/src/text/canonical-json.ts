/**
 * What one value may cost to write down; `properties`, the members of all its objects, counts down
 * over the whole value.
 */
export interface JsonBudget {
  readonly depth_max: number;
  properties: number;
}

export type JsonRefusal = 'too_deep' | 'too_many_properties';

/** The value is nested too deeply or has too many properties. */
export class JsonBudgetError extends Error {
  constructor(readonly refusal: JsonRefusal) {
    super(refusal);
    this.name = 'JsonBudgetError';
  }
}

/**
 * JSON text in which equal values are equal text: members in the order of their UTF-16 units, no
 * white space. `canonicalJson({ b: 1, a: [2] }, budget) === '{"a":[2],"b":1}'`.
 * `value` must come out of `JSON.parse`. Spends the budget.
 * @throws JsonBudgetError when the budget does not suffice.
 */
export function canonicalJson(value: unknown, budget: JsonBudget): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const walk: Walk = { budget, orderable: true };
  const ordered = inOrder(value, walk, 1);
  return walk.orderable ? JSON.stringify(ordered) : writtenOut(value);
}

interface Walk {
  readonly budget: JsonBudget;
  /** False once an object had a name that does not stay where it was put. */
  orderable: boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** A copy with the members of every object in order, which the engine writes out at once. */
function inOrder(value: object, walk: Walk, depth: number): object {
  if (depth > walk.budget.depth_max) throw new JsonBudgetError('too_deep');
  if (Array.isArray(value)) {
    return value.map((item) => (isNested(item) ? inOrder(item, walk, depth + 1) : item) as unknown);
  }
  const names = Object.keys(value);
  spend(walk.budget, names.length);
  const ordered: Record<string, unknown> = {};
  for (const name of sorted(names)) {
    if (!staysInOrder(name)) walk.orderable = false;
    const member = (value as Members)[name];
    ordered[name] = isNested(member) ? inOrder(member, walk, depth + 1) : member;
  }
  return ordered;
}

const few_max = 24;

/** The names by their UTF-16 units; few are sorted in place, which leaves nothing to collect. */
function sorted(names: string[]): readonly string[] {
  if (names.length > few_max) return names.sort();
  for (let index = 1; index < names.length; index += 1) {
    const name = names[index]!;
    let at = index;
    for (; at > 0 && names[at - 1]! > name; at -= 1) names[at] = names[at - 1]!;
    names[at] = name;
  }
  return names;
}

// Engines put names that look like an array index before all others.
function staysInOrder(name: string): boolean {
  const first = name.charCodeAt(0);
  return !(first >= 0x30 && first <= 0x39) && name !== '__proto__';
}

/** The same text, member by member: slower, for any names. */
function writtenOut(value: unknown): string {
  if (!isNested(value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(writtenOut).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${writtenOut((value as Members)[name])}`);
  return `{${members.join(',')}}`;
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

// Characters that JSON escapes, or that only well-formed text may hold.
const needs_escape = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Whether the JSON of a text is that text in quotes. */
export function isPlain(text: string): boolean {
  return !needs_escape.test(text);
}

/** A JSON string; text without anything to escape is only put in quotes. */
export function quoted(text: string): string {
  return isPlain(text) ? `"${text}"` : JSON.stringify(text);
}

function spend(budget: JsonBudget, count: number): void {
  budget.properties -= count;
  if (budget.properties < 0) throw new JsonBudgetError('too_many_properties');
}
