import type { CohortFacts } from '../cohort-facts.js';
import type { PublicationPolicy } from '../policy.js';

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

/** Whether a group has enough developers and accounts. */
export function isLarge(
  { developers, accounts }: CohortFacts,
  minDevelopers: number,
  policy: PublicationPolicy,
): boolean {
  return developers >= minDevelopers && accounts >= policy.minAccounts;
}

/** Whether a difference stands for enough developers of enough accounts, dominated by none. */
export function isLargeDifference(facts: CohortFacts, policy: PublicationPolicy): boolean {
  return (
    facts.developers >= policy.minDifferenceDevelopers &&
    facts.accounts >= policy.minDifferenceAccounts &&
    passesDominance(facts, policy)
  );
}
