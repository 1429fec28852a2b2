import { describe, expect, it } from '@jest/globals';
import { projectedFateOf, type ProjectedFacts } from './projected-event.js';

const place = (offset: number) => ({ partition: 2, offset });
const stored: ProjectedFacts = {
  due: place(7),
  row: place(7),
  rowUncommitted: false,
  erased: false,
  expired: false,
};

describe('an accepted event in a projection', () => {
  it.each<[string, Partial<ProjectedFacts>]>([
    ['stored', {}],
    ['stored', { expired: true }],
    ['ahead', { row: place(9), rowUncommitted: true }],
    ['ahead', { due: null, row: place(9), rowUncommitted: true }],
    ['pending', { due: null, row: null }],
    ['erased', { row: null, erased: true }],
    ['outside_retention', { row: null, expired: true }],
    ['missing', { row: null }],
    ['misplaced', { row: place(3) }],
    ['misplaced', { row: { partition: 1, offset: 7 } }],
    ['not_erased', { erased: true }],
  ])('is %s when %j', (fate, facts) => {
    expect(projectedFateOf({ ...stored, ...facts })).toBe(fate);
  });
});
