import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { countJsonValues } from './json-values.js';

const count = (text: string) => countJsonValues(Buffer.from(text), 1_000_000);

/** Values as the parser makes them; an empty container is one more than it has members. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  return (
    1 +
    Math.max(0, members.length - 1) +
    members.reduce<number>((sum, one) => sum + valuesOf(one), 0)
  );
}

describe('counting the values of a JSON text', () => {
  it('counts containers and members as the parser finds them', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(count(JSON.stringify(value))).toBe(1 + valuesOf(value));
      }),
    );
  });

  it('does not look into strings, escaped quotes included', () => {
    expect(count('{"a,b":"[{,\\\\\\",,{[","c":1}')).toBe(3);
  });

  it('stops soon above the limit, and survives what is no JSON', () => {
    expect(countJsonValues(Buffer.from('['.repeat(1000)), 10)).toBe(11);
    expect(count('"never closed, [[[')).toBe(1);
  });
});
