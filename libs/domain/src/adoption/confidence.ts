import type { AdoptionMetrics, Confidence, ConfidenceLevel } from './adoption-row.js';

/** From the strongest level down; the last one is what every published row has at least. */
const levels = [
  { level: 'high', developers: 1000, accounts: 50 },
  { level: 'medium', developers: 200, accounts: 15 },
  { level: 'low', developers: 0, accounts: 0 },
] as const;

const level_labels: Readonly<Record<ConfidenceLevel, string>> = {
  high: 'High confidence',
  medium: 'Medium confidence',
  low: 'Low confidence',
  insufficient: 'Insufficient data',
};

/** What may lower the confidence by a step each. */
export interface Doubts {
  /** Most of the published figures do not come from first-party events. */
  readonly mostlyOtherEvidence: boolean;
  /** The service holds events for less than four fifths of the days of the period. */
  readonly daysMissing: boolean;
  /** Operators know that events were lost or late. */
  readonly incident: boolean;
  /** The score had to do without some of its inputs. */
  readonly scoreInputsMissing: boolean;
}

const doubt_reasons: Readonly<Record<keyof Doubts, string>> = {
  mostlyOtherEvidence: 'mostly_not_first_party',
  daysMissing: 'days_not_covered',
  incident: 'pipeline_incident',
  scoreInputsMissing: 'score_inputs_missing',
};

/** The confidence in published figures; it sees rounded numbers only. */
export function confidenceIn(metrics: AdoptionMetrics, doubts: Doubts): Confidence {
  const bySize = levels.findIndex(
    ({ developers, accounts }) =>
      metrics.developers.value >= developers && metrics.accounts.value >= accounts,
  );
  const reasons = (Object.keys(doubt_reasons) as (keyof Doubts)[])
    .filter((doubt) => doubts[doubt])
    .map((doubt) => doubt_reasons[doubt]);
  const { level } = levels[Math.min(bySize + reasons.length, levels.length - 1)]!;
  return { level, label: level_labels[level], reasons };
}
