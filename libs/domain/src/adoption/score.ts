import type { AdoptionMetrics } from './adoption-row.js';
import { periodDays, type AdoptionPeriod } from './period.js';
import type { PublicationPolicy } from './policy.js';

export const adoption_score_version = 'adoption-score-v1';

/** Weight, and the figure over 30 days that earns all of it. */
const counts = {
  accounts: { weight: 3, full: 5_000 },
  developers: { weight: 3, full: 50_000 },
  activatedDevelopers: { weight: 2, full: 20_000 },
  expansionAccounts: { weight: 1, full: 1_000 },
} as const;

const retention_weight = 2;

/** Two-sided 95 % of the normal distribution. */
const z = 1.96;

export type ScoreInput = keyof typeof counts | 'retentionD7';

const period_scale: Readonly<Record<AdoptionPeriod, number>> = { '7d': 0.4, '30d': 1, '90d': 2 };

export interface AdoptionScore {
  /** From 0 to 100, two decimals. */
  readonly value: number;
  readonly version: typeof adoption_score_version;
}

/** A score, and the inputs that had no published figure; their weight was left out. */
export interface ScoreResult {
  readonly score: AdoptionScore;
  readonly missingInputs: readonly ScoreInput[];
}

/**
 * The score of published figures, in the form of the OpenSSF criticality score: the weighted mean
 * of `min(1, ln(1 + x) / ln(1 + T))` and of the retention, times 100. Everything it is made of
 * stands in the row, so it tells nothing that the row does not.
 */
export function scoreOf(
  metrics: AdoptionMetrics,
  period: AdoptionPeriod,
  policy: PublicationPolicy,
): ScoreResult {
  const missingInputs: ScoreInput[] = [];
  let total = 0;
  let weights = 0;
  for (const name of Object.keys(counts) as (keyof typeof counts)[]) {
    const count = name === 'developers' ? boundDevelopers(metrics, policy) : metrics[name]?.value;
    if (count === undefined) {
      missingInputs.push(name);
      continue;
    }
    const { weight, full } = counts[name];
    total += weight * saturation(count, full * period_scale[period]);
    weights += weight;
  }
  if (metrics.retentionD7 === null) missingInputs.push('retentionD7');
  else {
    const share = metrics.retentionD7.band.lower / 100;
    total += retention_weight * wilsonLowerBound(share, policy.retentionMinDevelopers);
    weights += retention_weight;
  }
  const value = Math.round((total / weights) * 10_000) / 100;
  return { score: { value, version: adoption_score_version }, missingInputs };
}

/**
 * Developers that count: no more than so many for each account, or one large customer could lift
 * a tool by itself. Of published figures, because the exact excess of the largest account over a
 * limit of its own would tell how large that account is.
 */
export function boundDevelopers(
  { developers, accounts }: Pick<AdoptionMetrics, 'developers' | 'accounts'>,
  { scoreDevelopersPerAccountMax }: PublicationPolicy,
): number {
  return Math.min(developers.value, accounts.value * scoreDevelopersPerAccountMax);
}

/** The share that is exceeded with a confidence of 97.5 %, given `share` of `size` (Wilson). */
export function wilsonLowerBound(share: number, size: number): number {
  const centre = share + z ** 2 / (2 * size);
  const spread = z * Math.sqrt((share * (1 - share)) / size + z ** 2 / (4 * size ** 2));
  return Math.max(0, (centre - spread) / (1 + z ** 2 / size));
}

function saturation(count: number, full: number): number {
  return Math.min(1, Math.log1p(count) / Math.log1p(full));
}

/** How the score is made, in words for the methodology. */
export function scoreDefinition(period: AdoptionPeriod, policy: PublicationPolicy): string {
  const parts = Object.entries(counts).map(
    ([name, { weight, full }]) =>
      `${name} (weight ${weight}, full at ${full * period_scale[period]})`,
  );
  return (
    '100 times the weighted mean of ln(1 + x) / ln(1 + T), at most 1 each, over published' +
    ` figures of ${periodDays(period)} days: ${parts.join(', ')}, and retentionD7 (weight` +
    ` ${retention_weight}: the Wilson lower bound of the lower edge of the band for` +
    ` ${policy.retentionMinDevelopers} developers). For each account no more than` +
    ` ${policy.scoreDevelopersPerAccountMax} developers count. Inputs without a figure drop out.`
  );
}
