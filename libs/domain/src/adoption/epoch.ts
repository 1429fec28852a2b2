import type { EvidenceLabel } from '../evidence.js';
import type { AdoptionRow } from './adoption-row.js';
import type { CataloguedTool } from './catalogued-tool.js';
import type { CohortFacts } from './cohort-facts.js';
import type { AdoptionPeriod } from './period.js';
import type { CohortId, CohortPart, SeriesFacts, SeriesState } from './series.js';

/** Everything an epoch is computed from. The order of the lists plays no part. */
export interface EpochFacts {
  /** The number of the epoch, greater than every one before. */
  readonly epoch: number;
  /** UTC day that all windows end with, `YYYY-MM-DD`. */
  readonly day: string;
  readonly tools: readonly CataloguedTool[];
  /**
   * Every series that has events or a state; at most one for each tool and label. Series of tools
   * that are not catalogued show nothing, and keep what they are compared with.
   */
  readonly series: readonly SeriesFacts[];
  /**
   * Share of the days of each period on which the service holds any event, from 0 to 1. Of the
   * service, not of the tool: a single developer must not be able to move a tool's confidence.
   */
  readonly daysCovered: Readonly<Record<AdoptionPeriod, number>>;
  /** Operators know that events of these days were lost or late. */
  readonly incident: boolean;
  /** Ranks of the epoch before by period and tool id; empty before the first. */
  readonly previousRanks: ReadonlyMap<AdoptionPeriod, ReadonlyMap<string, number>>;
}

/** What became of one part of one period, for operators only. */
export interface CellExplanation {
  readonly period: AdoptionPeriod;
  readonly part: CohortPart;
  /**
   * `counted`: this epoch's own counts; `carried`: figures of an earlier epoch; `withheld`: none.
   */
  readonly outcome: 'counted' | 'carried' | 'withheld';
  /** The cohort whose figures are shown; null when withheld. */
  readonly cohort: CohortId | null;
  /** Name of the step of the policy that decided; null when none objected. */
  readonly decidedBy: string | null;
  /** Why, in words with exact numbers. Secret. */
  readonly reason: string;
  readonly exact: CohortFacts;
}

/** What became of one tool and label, and what the next epoch has to be told. */
export interface SeriesOutcome {
  readonly toolId: string;
  readonly label: EvidenceLabel;
  readonly state: SeriesState;
  /**
   * Candidates that were published: their members have to be stored under these ids. Members of
   * ids that `state.published` no longer lists have to be dropped.
   */
  readonly newCohorts: readonly CohortId[];
  readonly cells: readonly CellExplanation[];
}

export interface EpochOutcome {
  /** One row a catalogued tool and period, ranked ones first. */
  readonly rows: ReadonlyMap<AdoptionPeriod, readonly AdoptionRow[]>;
  /** One for each series of the facts. */
  readonly series: readonly SeriesOutcome[];
}
