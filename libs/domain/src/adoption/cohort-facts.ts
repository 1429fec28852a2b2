/**
 * Exact counts of a group of developers. Secret: they never leave the policy unrounded.
 *
 * A cohort is a set of links (developer, account), where a developer whose account is unknown has
 * the one link (developer, none). A developer of several accounts is one developer, and counts in
 * each of the accounts.
 */
export interface CohortFacts {
  /** Distinct developers. */
  readonly developers: number;
  /** Those of them that are known to belong to an account. */
  readonly accountDevelopers: number;
  /** Distinct accounts. */
  readonly accounts: number;
  /** Developers of the largest account; 0 without accounts. */
  readonly topAccountDevelopers: number;
  /** Developers of the second largest account; 0 with fewer than two. */
  readonly secondAccountDevelopers: number;
}

export const nobody: CohortFacts = {
  developers: 0,
  accountDevelopers: 0,
  accounts: 0,
  topAccountDevelopers: 0,
  secondAccountDevelopers: 0,
};
