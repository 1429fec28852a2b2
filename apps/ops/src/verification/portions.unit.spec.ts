import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { firstPrefixOf, portionsOf, sliceOf } from './portions.js';

describe('the portions of a log', () => {
  it('are its partitions, each as often as it takes to remember its ids', () => {
    const records = new Map([
      [0, 100],
      [1, 0],
      [2, 250],
    ]);
    expect(portionsOf(records, false, 100)).toEqual([
      { partitions: [0], slice: 0, slices: 1 },
      { partitions: [1], slice: 0, slices: 1 },
      { partitions: [2], slice: 0, slices: 3 },
      { partitions: [2], slice: 1, slices: 3 },
      { partitions: [2], slice: 2, slices: 3 },
    ]);
  });

  it('are slices of all partitions as one when ids may be in two of them', () => {
    const records = new Map([
      [0, 100],
      [1, 20],
    ]);
    expect(portionsOf(records, true, 100)).toEqual([
      { partitions: [0, 1], slice: 0, slices: 2 },
      { partitions: [0, 1], slice: 1, slices: 2 },
    ]);
  });

  const slices = fc.integer({ min: 1, max: 5_000 });

  it('hold every key once, whatever it is', () => {
    const key = fc.oneof(fc.uuid(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(key, slices, (text, count) => {
        const slice = sliceOf(text, count);
        expect(Number.isInteger(slice) && slice >= 0 && slice < count).toBe(true);
      }),
    );
  });

  it('hold the ids between the first one and the first one of the next portion', () => {
    fc.assert(
      fc.property(fc.uuid(), slices, (id, count) => {
        const slice = sliceOf(id, count);
        const next = firstPrefixOf(slice + 1, count);
        expect(id.slice(0, 8) >= firstPrefixOf(slice, count)!).toBe(true);
        expect(next === null || id.slice(0, 8) < next).toBe(true);
        expect(next === null).toBe(slice === count - 1);
      }),
    );
  });
});
