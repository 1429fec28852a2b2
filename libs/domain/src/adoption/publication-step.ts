import type { AdoptionMetrics } from './adoption-row.js';
import type { AdoptionPeriod } from './period.js';
import type { ToolCohorts } from './cohort.js';

/** The numbers of the policy; all of them are arguments, none is built in. */
export interface PublicationPolicy {
  readonly minDevelopers: number;
  readonly minAccounts: number;
  /** Largest share of the developers that one account may hold, in percent. */
  readonly topAccountPercentMax: number;
  /** Share of one account, in percent, above which counts are rounded twice as coarsely. */
  readonly coarseAbovePercent: number;
}

const coarse_above_percent = 35;

/** The policy of a configuration; what operators cannot move has its fixed value. */
export function publicationPolicyOf({
  minDevelopers,
  minAccounts,
  topAccountPercentMax,
}: Omit<PublicationPolicy, 'coarseAbovePercent'>): PublicationPolicy {
  const coarseAbovePercent = coarse_above_percent;
  return { minDevelopers, minAccounts, topAccountPercentMax, coarseAbovePercent };
}

/** One cell under judgement: a tool's cohorts of one label, and what the steps decided so far. */
export interface Cell {
  readonly period: AdoptionPeriod;
  readonly cohorts: ToolCohorts;
  readonly withheld: boolean;
  readonly activatedWithheld: boolean;
  /** Null until the rounding step, and for ever when withheld. */
  readonly metrics: AdoptionMetrics | null;
}

/** A pure step of the policy. A step may withhold more, never release what another withheld. */
export type PublicationStep = (cell: Cell, policy: PublicationPolicy) => Cell;

export function openCell(cohorts: ToolCohorts, period: AdoptionPeriod): Cell {
  return { period, cohorts, withheld: false, activatedWithheld: false, metrics: null };
}
