import { nobody, type CohortFacts } from './cohort-facts.js';

/** A developer in an account, or of no known account. */
export interface CohortLink {
  readonly developer: string;
  readonly account: string | null;
  /** In a cohort of `retention`: whether the developer came back. */
  readonly returned?: boolean;
}

/** A cohort with its members: each link once, under its own key. */
export type Cohort = ReadonlyMap<string, CohortLink>;

/** The cohort of these links; repeating one changes nothing. */
export function cohortOf(links: Iterable<CohortLink>): Cohort {
  return new Map([...links].map((link) => [keyOf(link), link]));
}

/**
 * The counts of a cohort. This is what they mean: what the column store computes has to agree with
 * it: `cohortFacts(cohortOf([{ developer: 'd', account: null }]))` is one developer of no account.
 */
export function cohortFacts(cohort: Cohort): CohortFacts {
  return countLinks(cohort.values());
}

/** The counts of what is in exactly one of two cohorts. */
export function cohortDifference(one: Cohort, other: Cohort): CohortFacts {
  const links: CohortLink[] = [];
  for (const [key, link] of one) if (!other.has(key)) links.push(link);
  for (const [key, link] of other) if (!one.has(key)) links.push(link);
  return countLinks(links);
}

function countLinks(links: Iterable<CohortLink>): CohortFacts {
  const developers = new Set<string>();
  const known = new Set<string>();
  const members = new Map<string, Set<string>>();
  for (const { developer, account } of links) {
    developers.add(developer);
    if (account === null) continue;
    known.add(developer);
    const ofAccount = members.get(account);
    if (ofAccount === undefined) members.set(account, new Set([developer]));
    else ofAccount.add(developer);
  }
  if (developers.size === 0) return nobody;
  let [top, second] = [0, 0];
  for (const { size } of members.values()) {
    if (size > top) [top, second] = [size, top];
    else if (size > second) second = size;
  }
  return {
    developers: developers.size,
    accountDevelopers: known.size,
    accounts: members.size,
    topAccountDevelopers: top,
    secondAccountDevelopers: second,
  };
}

function keyOf({ developer, account, returned }: CohortLink): string {
  return JSON.stringify([developer, account, returned ?? null]);
}
