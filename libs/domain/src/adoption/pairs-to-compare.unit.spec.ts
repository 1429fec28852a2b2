import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { nobody } from './cohort-facts.js';
import { cohortDifference, cohortFacts, cohortOf } from './cohort-members.js';
import { default_policy } from './default-policy.fixture.js';
import { pairsToCompare, surelyApart } from './pairs-to-compare.js';
import { candidate, cohort } from './series.fixture.js';
import { cohortId, new_series } from './series.js';
import { isLargeDifference, passesPrimary } from './steps/tests.js';

const anyCohort = fc
  .array(
    fc.record({
      developer: fc.nat(400).map(String),
      account: fc.oneof(fc.nat(40).map(String), fc.constant(null)),
    }),
    { maxLength: 400, size: 'max' },
  )
  .map(cohortOf);

describe('cohorts that are surely apart', () => {
  it('differ by what passes every test, whoever is in them', () => {
    let found = 0;
    fc.assert(
      fc.property(anyCohort, anyCohort, (one, other) => {
        if (!surelyApart(cohortFacts(one), cohortFacts(other), default_policy)) return;
        found += 1;
        const difference = cohortDifference(one, other);
        expect(isLargeDifference(difference, default_policy)).toBe(true);
        expect(passesPrimary(difference, 25, default_policy)).toBe(true);
      }),
      { numRuns: 300, seed: 5 },
    );
    expect(found).toBeGreaterThan(20);
  });
});

describe('the pairs of a series', () => {
  const near = cohort(100, 5);
  const pairs = (...candidates: Parameters<typeof candidate>[]) =>
    pairsToCompare(
      { candidates: candidates.map((each) => candidate(...each)), state: new_series },
      7,
      default_policy,
    );

  it('hold candidates of all parts and periods, each pair once', () => {
    expect(
      pairs(['all', near], ['activated', near], ['all', near, { period: '90d' }]),
    ).toHaveLength(3);
  });

  it('compare retention with nothing but retention', () => {
    expect(
      pairs(['all', near], ['retention', near], ['retention', near, { period: '90d' }]),
    ).toEqual([
      { candidate: cohortId(7, '90d', 'retention'), other: cohortId(7, '30d', 'retention') },
    ]);
  });

  it('leave out a part without anybody', () => {
    expect(pairs(['all', near], ['activated', nobody])).toEqual([]);
  });
});
