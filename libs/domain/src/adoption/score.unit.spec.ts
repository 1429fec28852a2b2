import { describe, expect, it } from '@jest/globals';
import type { AdoptionMetrics } from './adoption-row.js';
import { default_policy } from './default-policy.fixture.js';
import { scoreOf, wilsonLowerBound } from './score.js';

const count = (value: number) => ({ value, lower: value, upper: value });

const metrics = (more: Partial<AdoptionMetrics> = {}): AdoptionMetrics => ({
  developers: count(1_000),
  accounts: count(100),
  activatedDevelopers: count(500),
  expansionAccounts: count(20),
  retentionD7: { band: { lower: 40, upper: 45 } },
  ...more,
});

const part = (x: number, full: number) => Math.log1p(x) / Math.log1p(full);

describe('the adoption score', () => {
  it('is the weighted mean of all published figures, times 100', () => {
    const total =
      3 * part(100, 5_000) +
      3 * part(1_000, 50_000) +
      2 * part(500, 20_000) +
      part(20, 1_000) +
      2 * wilsonLowerBound(0.4, 50);
    const { score, missingInputs } = scoreOf(metrics(), '30d', default_policy);
    expect(score.value).toBeCloseTo((total / 11) * 100, 2);
    expect([score.version, missingInputs]).toEqual(['adoption-score-v1', []]);
  });

  it('leaves out the weight of figures that are missing, and names them', () => {
    const few = { activatedDevelopers: null, expansionAccounts: null, retentionD7: null };
    const { score, missingInputs } = scoreOf(metrics(few), '30d', default_policy);
    expect(score.value).toBeCloseTo(((part(100, 5_000) + part(1_000, 50_000)) / 2) * 100, 2);
    expect(missingInputs).toEqual(['activatedDevelopers', 'expansionAccounts', 'retentionD7']);
  });

  it('asks less of a shorter period and more of a longer one', () => {
    const [week, month, quarter] = (['7d', '30d', '90d'] as const).map(
      (period) => scoreOf(metrics(), period, default_policy).score.value,
    );
    expect(week).toBeGreaterThan(month!);
    expect(month).toBeGreaterThan(quarter!);
  });

  it('is at most 100', () => {
    const figures = {
      developers: count(10_000_000),
      accounts: count(1_000_000),
      activatedDevelopers: count(1_000_000),
      expansionAccounts: count(100_000),
      retentionD7: null,
    };
    expect(scoreOf(figures, '30d', default_policy).score.value).toBe(100);
  });

  it('counts so many developers for each account, and no more', () => {
    const scoreWith = (developers: number) =>
      scoreOf(metrics({ developers: count(developers), accounts: count(5) }), '30d', default_policy)
        .score.value;
    expect(scoreWith(250)).toBeGreaterThan(scoreWith(200));
    expect(scoreWith(5_000)).toBe(scoreWith(250));
  });
});

describe('the Wilson lower bound', () => {
  it.each([
    [0, 50, 0],
    [0.5, 50, 0.366],
    [0.9, 50, 0.786],
    [1, 50, 0.929],
  ])('of %d among %i is %d', (share, size, bound) => {
    expect(wilsonLowerBound(share, size)).toBeCloseTo(bound, 3);
  });
});
