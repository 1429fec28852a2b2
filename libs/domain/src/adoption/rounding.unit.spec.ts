import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { roundCount } from './rounding.js';

const fine = { coarse: false, atLeast: 0 };

describe('rounding by the ladder', () => {
  it.each([
    [23, 25],
    [49, 50],
    [50, 50],
    [62, 50],
    [63, 75],
    [274, 250],
    [275, 300],
    [549, 500],
    [1_124, 1_000],
    [2_749, 2_500],
    [5_499, 5_000],
    [123_456, 123_000],
  ])('%i is published as %i', (count, value) => {
    expect(roundCount(count, fine).value).toBe(value);
  });

  it('rounds twice as coarsely where one account nearly dominates', () => {
    expect(roundCount(24, { coarse: true, atLeast: 0 })).toEqual({
      value: 20,
      lower: 15,
      upper: 24,
    });
  });

  it('never shows a figure below the threshold that it passed', () => {
    expect(roundCount(24, { coarse: true, atLeast: 20 })).toEqual({
      value: 20,
      lower: 20,
      upper: 24,
    });
    expect(roundCount(5, { coarse: true, atLeast: 5 })).toEqual({ value: 10, lower: 5, upper: 14 });
  });

  it('gives an interval that holds the exact count and the value', () => {
    fc.assert(
      fc.property(fc.nat(20_000), fc.boolean(), fc.nat(40), (extra, coarse, atLeast) => {
        const count = atLeast + extra;
        const { value, lower, upper } = roundCount(count, { coarse, atLeast });
        expect(lower).toBeLessThanOrEqual(count);
        expect(upper).toBeGreaterThanOrEqual(count);
        expect(lower).toBeLessThanOrEqual(value);
        expect(upper).toBeGreaterThanOrEqual(value);
      }),
    );
  });

  it('gives one interval to all counts that have one value and are rounded alike', () => {
    fc.assert(
      fc.property(fc.nat(8_000), fc.boolean(), (count, coarse) => {
        const published = roundCount(count, { coarse, atLeast: 0 });
        expect(roundCount(published.lower, { coarse, atLeast: 0 })).toEqual(published);
      }),
    );
  });

  it('never tells a count above the first rung apart from four others', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 20_000 }), (count) => {
        const { lower, upper } = roundCount(count, fine);
        expect(upper - lower).toBeGreaterThanOrEqual(4);
      }),
    );
  });
});
