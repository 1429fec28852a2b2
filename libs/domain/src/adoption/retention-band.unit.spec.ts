import { describe, expect, it } from '@jest/globals';
import { retentionBand } from './retention-band.js';

describe('the band of a retention', () => {
  it.each([
    [0, 0, 10],
    [9, 0, 10],
    [10, 10, 15],
    [57, 55, 60],
    [89, 85, 90],
    [90, 90, 100],
    [100, 90, 100],
  ])('of %i % is from %i to %i', (percent, lower, upper) => {
    expect(retentionBand(percent * 2, 200)).toEqual({ lower, upper });
  });
});
