import {
  cohortFacts,
  cohortOf,
  type Cohort,
  type CohortLink,
} from '#domain/adoption/cohort-members.js';
import { adoption_periods, windowOf, type AdoptionPeriod } from '#domain/adoption/period.js';
import { cohort_parts, type CandidateFacts, type CohortPart } from '#domain/adoption/series.js';
import type { EventFamily } from '#domain/usage/event-catalogue.js';

const day_ms = 86_400_000;
const return_ms = 7 * day_ms;

/** An event of one series, as far as its cohorts go. */
export interface SeriesEvent {
  readonly developer: string;
  readonly account: string | null;
  readonly family: EventFamily;
  readonly at: Date;
}

/** A candidate with its members; those of `retention` carry who came back. */
export interface ReferenceCohort {
  readonly facts: CandidateFacts;
  readonly members: Cohort;
}

/**
 * The cohorts of a series by definition, member by member: what the column store has to agree with.
 * Parts without anybody are left out.
 */
export function referenceCohorts(events: readonly SeriesEvent[], asOf: Date): ReferenceCohort[] {
  return adoption_periods.flatMap((period) =>
    cohort_parts
      .map((part) => (part === 'retention' ? retention(events, period, asOf) : null))
      .map((cohort, index) => cohort ?? windowPart(events, period, cohort_parts[index]!, asOf))
      .filter(({ members }) => members.size > 0),
  );
}

function windowPart(
  events: readonly SeriesEvent[],
  period: AdoptionPeriod,
  part: CohortPart,
  asOf: Date,
): ReferenceCohort {
  const { start, endExclusive } = windowOf(period, asOf);
  const [from, until] = [Date.parse(start), Date.parse(endExclusive)];
  const inWindow = events.filter(({ at }) => at.getTime() >= from && at.getTime() < until);
  const family = { activated: 'activation', expanding: 'expansion' }[part as string];
  const doing = developersOf(inWindow.filter((event) => event.family === family));
  const links = linksOf(inWindow);
  const whole = cohortOf(links);
  const isPart = ({ developer }: CohortLink) => part === 'all' || doing.has(developer);
  const members = cohortOf(links.filter(isPart));
  return { members, facts: factsOf(period, part, whole, members) };
}

function retention(
  events: readonly SeriesEvent[],
  period: AdoptionPeriod,
  asOf: Date,
): ReferenceCohort {
  const window = windowOf(period, asOf);
  const [from, until] = [window.start, window.endExclusive].map(
    (day) => Date.parse(day) - return_ms,
  ) as [number, number];
  const lives = events.filter(({ family }) => family === 'activation' || family === 'retention');
  const outcomes = new Map<string, boolean>();
  for (const developer of developersOf(lives)) {
    const own = lives.filter((event) => event.developer === developer);
    const activations = own.filter(({ family }) => family === 'activation');
    const first = Math.min(...activations.map(({ at }) => at.getTime()));
    if (first < from || first >= until) continue;
    outcomes.set(
      developer,
      own.some(({ at }) => at.getTime() >= first + return_ms),
    );
  }
  const links = linksOf(lives).filter(({ developer }) => outcomes.has(developer));
  const returned = cohortOf(links.filter(({ developer }) => outcomes.get(developer)!));
  return {
    members: cohortOf(links.map((link) => ({ ...link, returned: outcomes.get(link.developer)! }))),
    facts: factsOf(period, 'retention', cohortOf(links), returned),
  };
}

function factsOf(
  period: AdoptionPeriod,
  part: CohortPart,
  whole: Cohort,
  cohort: Cohort,
): CandidateFacts {
  const rest = cohortFacts(
    cohortOf([...whole].flatMap(([key, link]) => (cohort.has(key) ? [] : [link]))),
  );
  return { period, part, whole: cohortFacts(whole), cohort: cohortFacts(cohort), rest };
}

/** A link for each account of a developer; the one without an account only if there is none. */
function linksOf(events: readonly SeriesEvent[]): CohortLink[] {
  const known = developersOf(events.filter(({ account }) => account !== null));
  return events
    .filter(({ developer, account }) => account !== null || !known.has(developer))
    .map(({ developer, account }) => ({ developer, account }));
}

function developersOf(events: readonly SeriesEvent[]): ReadonlySet<string> {
  return new Set(events.map(({ developer }) => developer));
}
