import type { CohortCounts } from './cohort.js';
import type { PublicationPolicy } from './policy.js';
import type { PublicationStep } from './publication-step.js';
import { roundCount, type RoundedCount } from './rounding.js';

/** Withholds a cell whose developers or accounts are too few. */
export const withholdSmall: PublicationStep = (cell, policy) =>
  isLarge(cell.cohorts.all, policy) ? cell : { ...cell, withheld: true };

/** Withholds a cell most of whose developers belong to one account. */
export const withholdDominated: PublicationStep = (cell, policy) =>
  isDominated(cell.cohorts.all, policy) ? { ...cell, withheld: true } : cell;

/**
 * Withholds the activated part unless it passes the primary test itself and the rest, which a
 * reader finds by subtraction, passes too or is empty.
 */
export const withholdActivated: PublicationStep = (cell, policy) => {
  const { activated, notActivated } = cell.cohorts;
  const restIsSafe = notActivated.developers === 0 || passesPrimary(notActivated, policy);
  return passesPrimary(activated, policy) && restIsSafe
    ? cell
    : { ...cell, activatedWithheld: true };
};

/** Turns what is still open into rounded figures; nothing after this step sees an exact count. */
export const roundFigures: PublicationStep = (cell, policy) => {
  if (cell.withheld) return { ...cell, metrics: null };
  const { all, activated } = cell.cohorts;
  return {
    ...cell,
    metrics: {
      developers: rounded(all, all.developers, policy.minDevelopers, policy),
      accounts: rounded(all, all.accounts, policy.minAccounts, policy),
      activatedDevelopers: cell.activatedWithheld
        ? null
        : rounded(activated, activated.developers, policy.minDevelopers, policy),
      retentionD7: null,
    },
  };
};

function passesPrimary(cohort: CohortCounts, policy: PublicationPolicy): boolean {
  return isLarge(cohort, policy) && !isDominated(cohort, policy);
}

function isLarge(cohort: CohortCounts, policy: PublicationPolicy): boolean {
  return cohort.developers >= policy.minDevelopers && cohort.accounts >= policy.minAccounts;
}

function isDominated(cohort: CohortCounts, policy: PublicationPolicy): boolean {
  return topAccountExceeds(cohort, policy.topAccountPercentMax);
}

/**
 * Developers without an account count for the size of a cohort only: here they would hide how much
 * of the known part one account holds.
 */
function topAccountExceeds(cohort: CohortCounts, percent: number): boolean {
  return cohort.topAccountDevelopers * 100 > cohort.accountDevelopers * percent;
}

function rounded(
  cohort: CohortCounts,
  count: number,
  atLeast: number,
  policy: PublicationPolicy,
): RoundedCount {
  return roundCount(count, {
    coarse: topAccountExceeds(cohort, policy.coarseAbovePercent),
    atLeast,
  });
}
