import { countedGroup } from './cell.js';
import type { CohortFacts } from './cohort-facts.js';
import type { PublicationPolicy } from './policy.js';
import {
  cohortId,
  stateUnder,
  type CohortId,
  type CohortPart,
  type SeriesFacts,
} from './series.js';

/** Two cohorts of a series whose difference the policy has to know. */
export interface CohortPair {
  /** A candidate of this epoch. */
  readonly candidate: CohortId;
  /** A published cohort, or another candidate. */
  readonly other: CohortId;
}

/** A cohort that a new one might be compared with. */
interface Known {
  readonly id: CohortId;
  readonly part: CohortPart;
  readonly facts: CohortFacts;
}

/**
 * The pairs of a series that need a difference: every candidate with every published cohort that
 * the state lists and with the candidates beside it, over all periods. Retention is compared with
 * retention only, for no count of it is shown. Left out are candidates without anybody, and pairs
 * whose sizes alone prove that they are far enough apart.
 */
export function pairsToCompare(
  { candidates, state }: Pick<SeriesFacts, 'candidates' | 'state'>,
  epoch: number,
  policy: PublicationPolicy,
): CohortPair[] {
  const fresh = candidates
    .map((candidate): Known => {
      const { period, part } = candidate;
      return { id: cohortId(epoch, period, part), part, facts: countedGroup(candidate) };
    })
    .filter(({ facts }) => facts.developers > 0);
  return fresh.flatMap((candidate, index) =>
    [...stateUnder(policy, state).published, ...fresh.slice(0, index)]
      .filter((other) => areCompared(candidate, other))
      .filter((other) => !surelyApart(candidate.facts, other.facts, policy))
      .map((other) => ({ candidate: candidate.id, other: other.id })),
  );
}

/** Whether a reader could subtract the figures of one from those of the other. */
export function areCompared(one: { part: CohortPart }, other: { part: CohortPart }): boolean {
  return (one.part === 'retention') === (other.part === 'retention');
}

/**
 * Whether the sizes of two cohorts alone prove that their difference passes every test that the
 * policy knows. In the difference no account has more developers than in both cohorts together
 * (T), and at least D developers with an account are in it, D being what one cohort has more than
 * the other. So D ≥ nT leaves n accounts at the least, none with more than an nth part, and
 * D − 2T for all but the two largest.
 */
export function surelyApart(
  one: CohortFacts,
  other: CohortFacts,
  policy: PublicationPolicy,
): boolean {
  const difference = Math.abs(one.accountDevelopers - other.accountDevelopers);
  const largest = one.topAccountDevelopers + other.topAccountDevelopers;
  const times = Math.max(
    policy.minAccounts,
    policy.minDifferenceAccounts,
    100 / policy.topAccountPercentMax,
    2 + policy.pPercent / 100,
  );
  const least = Math.max(
    policy.minDevelopers + policy.entryDevelopersExtra,
    policy.minDifferenceDevelopers,
  );
  return difference >= Math.max(least, largest * times);
}
