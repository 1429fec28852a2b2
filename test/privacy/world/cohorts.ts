import {
  cohortFacts,
  cohortOf,
  type Cohort,
  type CohortLink,
} from '#domain/adoption/cohort-members.js';
import { adoption_periods, periodDays, type AdoptionPeriod } from '#domain/adoption/period.js';
import type { CandidateFacts, CohortPart } from '#domain/adoption/series.js';
import type { Use } from './world.js';

/** What an epoch could show of one part and period, with its members. */
export interface MemberCohort {
  readonly period: AdoptionPeriod;
  readonly part: CohortPart;
  readonly members: Cohort;
  readonly facts: CandidateFacts;
}

const retained_after_days = 7;

/** The cohorts of one tool's uses, for windows that end with `day`. */
export function memberCohorts(uses: readonly Use[], day: number): MemberCohort[] {
  return adoption_periods.flatMap((period) => {
    const start = day + 1 - periodDays(period);
    const inWindow = uses.filter((use) => use.day >= start && use.day <= day);
    if (inWindow.length === 0) return [];
    const whole = cohortOf(linksOf(inWindow));
    const had = (family: Use['family']) =>
      new Set(inWindow.filter((use) => use.family === family).map(({ developer }) => developer));
    const [activated, expanding] = [had('activation'), had('expansion')];
    return [
      partOf(period, 'all', whole, () => true),
      partOf(period, 'activated', whole, ({ developer }) => activated.has(developer)),
      partOf(period, 'expanding', whole, ({ developer }) => expanding.has(developer)),
      ...retention(uses, period, day),
    ];
  });
}

function partOf(
  period: AdoptionPeriod,
  part: CohortPart,
  whole: Cohort,
  isIn: (link: CohortLink) => boolean,
): MemberCohort {
  const [members, others] = [true, false].map((side) => only(whole, (link) => isIn(link) === side));
  const [cohort, rest] = [cohortFacts(members!), cohortFacts(others!)];
  return {
    period,
    part,
    members: members!,
    facts: { period, part, whole: cohortFacts(whole), cohort, rest },
  };
}

function only(cohort: Cohort, isIn: (link: CohortLink) => boolean): Cohort {
  return new Map([...cohort].filter(([, link]) => isIn(link)));
}

/** Everybody whose first activation is old enough to have been followed by a return. */
function retention(uses: readonly Use[], period: AdoptionPeriod, day: number): MemberCohort[] {
  const end = day + 1 - retained_after_days;
  const start = end - periodDays(period);
  const firsts = new Map<string, number>();
  for (const use of uses) {
    if (use.family !== 'activation' || use.day > day) continue;
    firsts.set(use.developer, Math.min(use.day, firsts.get(use.developer) ?? use.day));
  }
  const awaited = uses.filter(({ developer, day: on }) => {
    const first = firsts.get(developer);
    return first !== undefined && first >= start && first < end && on <= day && on >= start;
  });
  if (awaited.length === 0) return [];
  const returned = new Set(
    awaited
      .filter(
        (use) =>
          (use.family === 'activation' || use.family === 'retention') &&
          use.day >= firsts.get(use.developer)! + retained_after_days,
      )
      .map(({ developer }) => developer),
  );
  const links = linksOf(awaited).map((link) => ({
    ...link,
    returned: returned.has(link.developer),
  }));
  const members = cohortOf(links);
  const [inside, outside] = [true, false].map((side) =>
    cohortFacts(only(members, (link) => link.returned === side)),
  );
  const facts = { period, part: 'retention' as const, whole: cohortFacts(members) };
  return [
    { period, part: 'retention', members, facts: { ...facts, cohort: inside!, rest: outside! } },
  ];
}

/** Each developer once for each known account, or once without any. */
function linksOf(uses: readonly Use[]): CohortLink[] {
  const accounts = new Map<string, Set<string>>();
  for (const { developer, account } of uses) {
    const known = accounts.get(developer) ?? new Set();
    if (account !== null) known.add(account);
    accounts.set(developer, known);
  }
  return [...accounts].flatMap(([developer, known]): CohortLink[] =>
    known.size === 0
      ? [{ developer, account: null }]
      : [...known].map((account) => ({ developer, account })),
  );
}
