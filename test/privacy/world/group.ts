import type { Cohort } from '#domain/adoption/cohort-members.js';

/** A group of developers as an onlooker would describe it who knew all of them. */
export interface Group {
  readonly developers: number;
  /** Developers of each account, the largest first. */
  readonly accounts: readonly number[];
}

/** Described anew, and not by the policy: what the policy counts is what is on trial. */
export function groupOf(...cohorts: readonly Cohort[]): Group {
  const developers = new Set<string>();
  const byAccount = new Map<string, Set<string>>();
  for (const cohort of cohorts) {
    for (const { developer, account } of cohort.values()) {
      developers.add(developer);
      if (account === null) continue;
      byAccount.set(account, (byAccount.get(account) ?? new Set()).add(developer));
    }
  }
  const accounts = [...byAccount.values()].map(({ size }) => size).sort((a, b) => b - a);
  return { developers: developers.size, accounts };
}

/** What is in one of two cohorts and not in the other. */
export function differenceOf(one: Cohort, other: Cohort): Group {
  const missing = (from: Cohort, has: Cohort): Cohort =>
    new Map([...from].filter(([key]) => !has.has(key)));
  return groupOf(missing(one, other), missing(other, one));
}

/** Whether the second largest account could tell the size of the largest one to within 15 %. */
export function isEstimable({ accounts: [largest = 0, , ...others] }: Group): boolean {
  const unknown = others.reduce((sum, size) => sum + size, 0);
  return unknown < 0.15 * largest;
}

/** Whether a group is too small for a difference of two published counts to stand for it. */
export function isSmallDifference(group: Group): boolean {
  return group.developers < 10 || group.accounts.length < 3 || isEstimable(group);
}

/** Whether one account has more than this share of the developers with an account. */
export function holdsMoreThan({ accounts }: Group, share: number): boolean {
  const [largest = 0] = accounts;
  return largest > share * accounts.reduce((sum, size) => sum + size, 0);
}

/** Whether a group is too small, or too much one account's, to be counted in public. */
export function isSmallCohort(group: Group): boolean {
  const isFew = group.developers < 20 || group.accounts.length < 5;
  return isFew || holdsMoreThan(group, 0.5) || isEstimable(group);
}
