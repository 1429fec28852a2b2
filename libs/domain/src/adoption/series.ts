import type { EvidenceLabel } from '../evidence.js';
import type { CohortFacts } from './cohort-facts.js';
import type { AdoptionPeriod } from './period.js';
import { policyFingerprint, type PublicationPolicy } from './policy.js';
import type { RetentionBand } from './retention-band.js';
import type { RoundedCount } from './rounding.js';

/**
 * What is counted in a period:
 * - `all`: developers with an event of any family;
 * - `activated`: those of them with an activation event;
 * - `expanding`: those of them with an expansion event; its accounts are the expansion accounts;
 * - `retention`: developers whose first activation of all lies in [T − period − 7 d, T − 7 d), T
 *   being the end of the windows, told apart by a retention or activation event at least seven
 *   days after that day and before T. Their accounts are those of [T − period − 7 d, T).
 *
 * Days are UTC days. The label of an event decides which series it belongs to.
 */
export const cohort_parts = ['all', 'activated', 'expanding', 'retention'] as const;

export type CohortPart = (typeof cohort_parts)[number];

/** Names a cohort within its series: epoch, period and part that it was first counted for. */
export type CohortId = string;

/** `cohortId(12, '30d', 'activated') === '12/30d/activated'`. */
export function cohortId(epoch: number, period: AdoptionPeriod, part: CohortPart): CohortId {
  return `${epoch}/${period}/${part}`;
}

/** What this epoch would like to show in one period and part. */
export interface CandidateFacts {
  readonly period: AdoptionPeriod;
  readonly part: CohortPart;
  /**
   * The group that the part is taken from: `all` of the period for `all`, `activated` and
   * `expanding`; everybody whose return was awaited for `retention`.
   */
  readonly whole: CohortFacts;
  /** The part itself; for `retention` those who returned. */
  readonly cohort: CohortFacts;
  /** Links of the whole that are not in the part, `nobody` for `all`. */
  readonly rest: CohortFacts;
}

/** Rounded figures of a published cohort. They are what is shown of it, for ever. */
export interface CohortFigures {
  readonly developers: RoundedCount;
  readonly accounts: RoundedCount;
  /** Of the part `retention` only. */
  readonly retained: RetentionBand | null;
}

/** A cohort whose figures have been published. Its members are kept beside it, by its id. */
export interface PublishedCohort {
  readonly id: CohortId;
  readonly period: AdoptionPeriod;
  readonly part: CohortPart;
  /** Exact counts when it was published; of `retention` those of the whole. */
  readonly facts: CohortFacts;
  readonly figures: CohortFigures;
  /** The last epoch that showed it. */
  readonly shownUntil: number;
}

/** What the last epoch showed in one period and part. */
export interface ShownCohort {
  readonly period: AdoptionPeriod;
  readonly part: CohortPart;
  readonly cohort: CohortId;
  /** UTC day of the last epoch whose own counts these were; since then they are carried. */
  readonly countedOn: string;
}

/** What one epoch hands to the next one. Secret, and the same for the same log. */
export interface SeriesState {
  /** Under which policy it came about. */
  readonly policy: string;
  /** All that new cohorts are compared with. */
  readonly published: readonly PublishedCohort[];
  /** Parts that are shown; others were not published. */
  readonly shown: readonly ShownCohort[];
}

/** A series that never showed anything. */
export const new_series: SeriesState = { policy: '', published: [], shown: [] };

/** The state that counts under a policy: what came about under another one is forgotten. */
export function stateUnder(policy: PublicationPolicy, state: SeriesState): SeriesState {
  return state.policy === policyFingerprint(policy) ? state : new_series;
}

/**
 * The symmetric difference of two cohorts: links that are in exactly one of them. A developer who
 * changed accounts is part of it, with both accounts. Between two cohorts of `retention`, a link
 * carries the outcome too: who is in both and returned in only one of them is part of it.
 */
export interface CohortDifference {
  readonly candidate: CohortId;
  /** A published cohort, or another candidate of the same epoch. */
  readonly other: CohortId;
  readonly facts: CohortFacts;
}

/** A tool's events of one evidence label, counted for an epoch. */
export interface SeriesFacts {
  readonly toolId: string;
  readonly label: EvidenceLabel;
  /** A part without anybody may be left out. */
  readonly candidates: readonly CandidateFacts[];
  /** One for each pair that `pairsToCompare` names, in any order. */
  readonly differences: readonly CohortDifference[];
  /** From the epoch before; `new_series` when there is none. */
  readonly state: SeriesState;
}
