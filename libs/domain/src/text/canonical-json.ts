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
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
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
    const member = canonicalJson(object[name], budget, depth + 1);
    text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${member}`;
  }
  return `{${text}}`;
}

function spend(budget: JsonBudget, count: number): void {
  budget.properties -= count;
  if (budget.properties < 0) throw new JsonBudgetError('too_many_properties');
}
