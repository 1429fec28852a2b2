import { nobody, type CohortFacts } from './cohort-facts.js';
import type { PublicationPolicy } from './policy.js';
import type { CandidateFacts, CohortFigures, PublishedCohort } from './series.js';

/** `counted`: this epoch's own figures; `carried`: those of an earlier epoch; `withheld`: none. */
export type Outcome = 'counted' | 'carried' | 'withheld';

/** How far a candidate is from a cohort that has been published. */
export interface Comparison {
  readonly other: PublishedCohort;
  /** Their symmetric difference. */
  readonly difference: CohortFacts;
}

/** What the last epoch showed in the place of this cell. */
export interface ShownBefore {
  readonly cohort: PublishedCohort;
  readonly countedOn: string;
  /** Days since then. */
  readonly ageDays: number;
}

/** Why a cell does not show its own counts. */
export interface Objection {
  /** Name of the step. */
  readonly step: string;
  readonly reason: string;
}

/** One part of one period under judgement, and what the steps decided so far. */
export interface Cell {
  readonly candidate: CandidateFacts;
  /** Null when the last epoch showed nothing here. */
  readonly shown: ShownBefore | null;
  /**
   * What a reader would find by subtracting the candidate from what the part `all` of the period
   * shows; null for other parts, and when that is surely large.
   */
  readonly rest: CohortFacts | null;
  /** The same for what was shown before; null, too, when the two were shown together already. */
  readonly shownRest: CohortFacts | null;
  /** With every published cohort that is not surely apart. */
  readonly comparisons: readonly Comparison[];
  /** Fewest developers that this cell needs. */
  readonly minDevelopers: number;
  /** Counts are rounded twice as coarsely. */
  readonly coarse: boolean;
  readonly outcome: Outcome;
  /** The last objection; null while there is none. */
  readonly objection: Objection | null;
  /** A published cohort with the very same members. */
  readonly same: PublishedCohort | null;
  /** Null until a step has made them, and whenever the cell is withheld. */
  readonly figures: CohortFigures | null;
}

/** A pure step of the policy; it has a name so that operators are told which one decided. */
export interface PublicationStep {
  readonly name: string;
  readonly judge: (cell: Cell, policy: PublicationPolicy) => Cell;
}

export function openCell(
  known: Pick<Cell, 'candidate' | 'shown' | 'rest' | 'shownRest' | 'comparisons'>,
  policy: PublicationPolicy,
): Cell {
  const isRetention = known.candidate.part === 'retention';
  return {
    ...known,
    minDevelopers: Math.max(policy.minDevelopers, isRetention ? policy.retentionMinDevelopers : 0),
    coarse: false,
    outcome: 'counted',
    objection: null,
    same: null,
    figures: null,
  };
}

/** A part without anybody. */
export function emptyCandidate(
  period: CandidateFacts['period'],
  part: CandidateFacts['part'],
): CandidateFacts {
  return { period, part, whole: nobody, cohort: nobody, rest: nobody };
}

/** The group that has to be large enough: for `retention` everybody whose return was awaited. */
export function countedGroup({ part, whole, cohort }: CandidateFacts): CohortFacts {
  return part === 'retention' ? whole : cohort;
}

/** The cell withheld, unless an earlier step has objected already. */
export function object(cell: Cell, step: string, reason: string): Cell {
  if (cell.outcome !== 'counted') return cell;
  return { ...cell, outcome: 'withheld', objection: { step, reason }, figures: null };
}
