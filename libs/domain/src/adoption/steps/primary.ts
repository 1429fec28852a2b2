import { countedGroup, object, type PublicationStep } from '../cell.js';
import type { CohortFacts } from '../cohort-facts.js';
import type { PublicationPolicy } from '../policy.js';

/** A part that is not shown yet needs some more developers, or it would flicker at the limit. */
export const hysteresis: PublicationStep = {
  name: 'hysteresis',
  judge: (cell, policy) =>
    cell.shown === null
      ? { ...cell, minDevelopers: cell.minDevelopers + policy.entryDevelopersExtra }
      : cell,
};

/** Withholds a cohort of too few developers or accounts. */
export const size: PublicationStep = {
  name: 'size',
  judge: (cell, policy) => {
    const { developers, accounts } = countedGroup(cell.candidate);
    if (isLarge(countedGroup(cell.candidate), cell.minDevelopers, policy)) return cell;
    const needed = `${cell.minDevelopers} and ${policy.minAccounts}`;
    return object(cell, 'size', `${developers} developers in ${accounts} accounts, of ${needed}`);
  },
};

/** Withholds a cohort most of whose developers belong to one account. */
export const concentration: PublicationStep = {
  name: 'concentration',
  judge: (cell, policy) => {
    const facts = countedGroup(cell.candidate);
    if (!topAccountExceeds(facts, policy.topAccountPercentMax)) return cell;
    const { topAccountDevelopers, accountDevelopers } = facts;
    const reason = `one account has ${topAccountDevelopers} of ${accountDevelopers} developers`;
    return object(cell, 'concentration', reason);
  },
};

/** Withholds a cohort from which its second largest account could estimate the largest one. */
export const dominance: PublicationStep = {
  name: 'dominance',
  judge: (cell, policy) => {
    const facts = countedGroup(cell.candidate);
    if (passesDominance(facts, policy)) return cell;
    return object(cell, 'dominance', `${dominanceText(facts)}, p is ${policy.pPercent} %`);
  },
};

/** The primary test as a whole, for what a reader finds by subtraction. */
export function passesPrimary(
  facts: CohortFacts,
  minDevelopers: number,
  policy: PublicationPolicy,
): boolean {
  return (
    isLarge(facts, minDevelopers, policy) &&
    !topAccountExceeds(facts, policy.topAccountPercentMax) &&
    passesDominance(facts, policy)
  );
}

/**
 * The p%-rule: what all accounts but the two largest have is at least p percent of the largest.
 * Developers without an account do not count here: they would hide how large one account is.
 */
export function passesDominance(facts: CohortFacts, { pPercent }: PublicationPolicy): boolean {
  const { accountDevelopers, topAccountDevelopers, secondAccountDevelopers } = facts;
  const others = accountDevelopers - topAccountDevelopers - secondAccountDevelopers;
  return others * 100 >= topAccountDevelopers * pPercent;
}

/** Whether one account has more than this share of the developers with an account. */
export function topAccountExceeds(facts: CohortFacts, percent: number): boolean {
  return facts.topAccountDevelopers * 100 > facts.accountDevelopers * percent;
}

function isLarge(
  { developers, accounts }: CohortFacts,
  minDevelopers: number,
  policy: PublicationPolicy,
): boolean {
  return developers >= minDevelopers && accounts >= policy.minAccounts;
}

function dominanceText(facts: CohortFacts): string {
  const { accountDevelopers, topAccountDevelopers, secondAccountDevelopers } = facts;
  return (
    `of ${accountDevelopers} developers the largest accounts have` +
    ` ${topAccountDevelopers} and ${secondAccountDevelopers}`
  );
}
