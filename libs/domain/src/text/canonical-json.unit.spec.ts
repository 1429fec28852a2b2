import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson, JsonBudgetError, type JsonBudget } from './canonical-json.js';

const ample = (): JsonBudget => ({ depth_max: 100, properties: 100_000 });

/** The rule in its plainest form. */
function plainly(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainly).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const names = Object.keys(value).sort();
  const members = names.map(
    (name) => `${JSON.stringify(name)}:${plainly((value as Record<string, unknown>)[name])}`,
  );
  return `{${members.join(',')}}`;
}

const names = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('__proto__', 'toJSON', '10', '9', '-1', 'constructor', 'a', 'B', 'ä', ''),
  fc.nat().map(String),
);
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.jsonValue({ maxDepth: 0 }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc
      .array(fc.tuple(names, tie('json')), { maxLength: 40, size: 'medium' })
      .map((members) => Object.fromEntries(members)),
  ),
}));

describe('canonical JSON', () => {
  it('writes members in the order of their UTF-16 units, at every level', () => {
    fc.assert(
      fc.property(json, (value) => {
        // Out of a parser, as the door reads it.
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        expect(canonicalJson(parsed, ample())).toBe(plainly(parsed));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['{"b":1,"a":[2,{"d":0,"c":-0}]}', '{"a":[2,{"c":0,"d":0}],"b":1}'],
    ['{"10":1,"9":2,"a":3}', '{"10":1,"9":2,"a":3}'],
    ['{"b":1,"__proto__":{"y":1,"x":2}}', '{"__proto__":{"x":2,"y":1},"b":1}'],
    ['"a\\u0000\\ud800"', '"a\\u0000\\ud800"'],
  ])('%s becomes %s', (text, canonical) => {
    expect(canonicalJson(JSON.parse(text), ample())).toBe(canonical);
  });

  it('refuses what is nested too deeply', () => {
    const budget = { depth_max: 2, properties: 100 };
    expect(canonicalJson({ a: { b: 1 } }, { ...budget })).toBe('{"a":{"b":1}}');
    expect(() => canonicalJson({ a: { b: [] } }, budget)).toThrow(new JsonBudgetError('too_deep'));
  });

  it('refuses what has too many properties, in whichever objects; items of lists are none', () => {
    const budget = { depth_max: 9, properties: 3 };
    expect(canonicalJson({ a: [1, 2, 3, { b: 4 }] }, { ...budget })).toBe('{"a":[1,2,3,{"b":4}]}');
    expect(() => canonicalJson({ a: [{ b: 1, c: 2 }, { d: 3 }] }, budget)).toThrow(
      new JsonBudgetError('too_many_properties'),
    );
  });
});
