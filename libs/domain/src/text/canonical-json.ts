/** What one value may cost to write down; `properties` counts down over the whole value. */
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
export function canonicalJson(value: unknown, budget: JsonBudget, depth = 1): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth > budget.depth_max) throw new JsonBudgetError('too_deep');
  if (Array.isArray(value)) {
    spend(budget, value.length);
    return `[${value.map((item) => canonicalJson(item, budget, depth + 1)).join(',')}]`;
  }
  const object = value as Readonly<Record<string, unknown>>;
  const names = Object.keys(object);
  spend(budget, names.length);
  let text = '';
  for (const name of names.sort()) {
    const value = object[name];
    const member =
      typeof value === 'string' ? quoted(value) : canonicalJson(value, budget, depth + 1);
    text += `${text === '' ? '' : ','}${quoted(name)}:${member}`;
  }
  return `{${text}}`;
}

// Characters that JSON escapes, or that only well-formed text may hold.
const needs_escape = /["\\\u0000-\u001f\ud800-\udfff]/;

/** A JSON string; text without anything to escape is only put in quotes. */
function quoted(text: string): string {
  return needs_escape.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function spend(budget: JsonBudget, count: number): void {
  budget.properties -= count;
  if (budget.properties < 0) throw new JsonBudgetError('too_many_properties');
}
