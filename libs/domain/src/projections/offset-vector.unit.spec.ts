import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  finishedByBoth,
  fromOffsetTexts,
  hasReached,
  offsetList,
  toOffsetTexts,
} from './offset-vector.js';

const vector = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 11 }), fc.bigInt({ min: 0n, max: 1n << 62n })))
  .map((entries) => new Map(entries));

describe('how far groups are', () => {
  it('is reached by who is as far on every partition', () => {
    expect(
      hasReached(
        new Map([
          [0, 5n],
          [1, 2n],
        ]),
        new Map([[0, 5n]]),
      ),
    ).toBe(true);
    expect(
      hasReached(
        new Map([[0, 5n]]),
        new Map([
          [0, 5n],
          [1, 1n],
        ]),
      ),
    ).toBe(false);
    expect(hasReached(new Map(), new Map([[0, 0n]]))).toBe(true);
  });

  it('is finished by both as far as each of them is', () => {
    fc.assert(
      fc.property(vector, vector, (one, other) => {
        const both = finishedByBoth(one, other);
        expect(hasReached(one, both)).toBe(true);
        expect(hasReached(other, both)).toBe(true);
        const further = [...both].map(([partition, next]) => [partition, next + 1n] as const);
        for (const entry of further) {
          const beyond = new Map([entry]);
          expect(hasReached(one, beyond) && hasReached(other, beyond)).toBe(false);
        }
      }),
    );
  });

  it('comes back from JSON as it was', () => {
    fc.assert(
      fc.property(vector, (one) => {
        const texts = JSON.parse(JSON.stringify(toOffsetTexts(one))) as Record<string, string>;
        expect(fromOffsetTexts(texts)).toEqual(one);
      }),
    );
  });

  it('is a list by partition', () => {
    expect(offsetList(new Map([[2, 7n]]))).toEqual([0n, 0n, 7n]);
    expect(offsetList(new Map())).toEqual([]);
  });
});
