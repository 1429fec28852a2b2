import type { AdoptionMetrics } from './adoption-row.js';
import { periodDays, type AdoptionPeriod } from './period.js';

export const adoption_score_version = 'adoption-score-v1';

/** Weight, and the figure over 30 days that earns all of it. */
const inputs = {
  accounts: { weight: 3, full: 5_000 },
  developers: { weight: 3, full: 50_000 },
  activatedDevelopers: { weight: 2, full: 20_000 },
} as const;

/** Inputs of the formula that this version does not compute yet. */
const inputs_not_computed = ['retentionD7', 'expansionAccounts'] as const;

export type ScoreInput = keyof typeof inputs | (typeof inputs_not_computed)[number];

const period_scale: Readonly<Record<AdoptionPeriod, number>> = { '7d': 0.4, '30d': 1, '90d': 2 };

export interface AdoptionScore {
  /** From 0 to 100, two decimals. */
  readonly value: number;
  readonly version: typeof adoption_score_version;
  /** Inputs that had no published figure; their weight was left out. */
  readonly missingInputs: readonly ScoreInput[];
}

/**
 * The score of published figures, in the form of the OpenSSF criticality score: the weighted mean
 * of `min(1, ln(1 + x) / ln(1 + T))`, times 100. A missing input leaves its weight out of the mean.
 */
export function scoreOf(metrics: AdoptionMetrics, period: AdoptionPeriod): AdoptionScore {
  const missingInputs: ScoreInput[] = [];
  let total = 0;
  let weights = 0;
  for (const name of Object.keys(inputs) as (keyof typeof inputs)[]) {
    const count = metrics[name];
    if (count === null) {
      missingInputs.push(name);
      continue;
    }
    const { weight, full } = inputs[name];
    total += weight * saturation(count.value, full * period_scale[period]);
    weights += weight;
  }
  missingInputs.push(...inputs_not_computed);
  const value = Math.round((total / weights) * 10_000) / 100;
  return { value, version: adoption_score_version, missingInputs };
}

function saturation(count: number, full: number): number {
  return Math.min(1, Math.log1p(count) / Math.log1p(full));
}

/** How the score is made, in words for the methodology. */
export function scoreDefinition(period: AdoptionPeriod): string {
  const parts = Object.entries(inputs).map(
    ([name, { weight, full }]) =>
      `${name} (weight ${weight}, full at ${full * period_scale[period]})`,
  );
  return (
    '100 times the weighted mean of ln(1 + x) / ln(1 + T), at most 1 each, over published figures' +
    ` of ${periodDays(period)} days: ${parts.join(', ')}. Inputs without a figure are left out.`
  );
}
