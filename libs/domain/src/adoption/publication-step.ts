import type { AdoptionMetrics } from './adoption-row.js';
import type { AdoptionPeriod } from './period.js';
import type { PublicationPolicy } from './policy.js';
import type { ToolCohorts } from './cohort.js';

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
