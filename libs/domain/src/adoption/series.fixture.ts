import type { CohortFacts } from './cohort-facts.js';
import { nobody } from './cohort-facts.js';
import { default_policy } from './default-policy.fixture.js';
import type { EpochFacts } from './epoch.js';
import { pairsToCompare } from './pairs-to-compare.js';
import type { AdoptionPeriod } from './period.js';
import {
  new_series,
  type CandidateFacts,
  type CohortId,
  type CohortPart,
  type SeriesFacts,
} from './series.js';

/** Evenly spread over the accounts unless said otherwise. */
export const cohort = (developers: number, accounts: number, top?: number): CohortFacts => {
  const share = accounts === 0 ? 0 : Math.ceil(developers / accounts);
  return {
    developers,
    accountDevelopers: accounts === 0 ? 0 : developers,
    accounts,
    topAccountDevelopers: top ?? share,
    secondAccountDevelopers: accounts < 2 ? 0 : Math.min(share, developers - (top ?? share)),
  };
};

/** A difference that no step objects to. */
export const far = cohort(100, 20);

export const tool = (slug: string) => ({
  id: `id-${slug}`,
  slug,
  name: slug.toUpperCase(),
  categorySlug: 'agents',
});

export const candidate = (
  part: CohortPart,
  facts: CohortFacts,
  more: Partial<CandidateFacts> = {},
): CandidateFacts => ({ period: '30d', part, whole: facts, cohort: facts, rest: nobody, ...more });

interface SeriesOptions extends Partial<SeriesFacts> {
  readonly epoch?: number;
  /** By the cohort that the candidates are compared with; others are far away. */
  readonly differenceTo?: Readonly<Record<CohortId, CohortFacts>>;
}

/** A series of the tool `slug`; differences that are not named are large. */
export function series(
  slug: string,
  candidates: readonly CandidateFacts[],
  { epoch = 1, differenceTo = {}, ...more }: SeriesOptions = {},
): SeriesFacts {
  const known = { candidates, state: more.state ?? new_series };
  return {
    toolId: `id-${slug}`,
    label: 'first_party',
    differences: pairsToCompare(known, epoch, default_policy).map((pair) => ({
      ...pair,
      facts: differenceTo[pair.other] ?? far,
    })),
    ...known,
    ...more,
  };
}

export const epochFacts = (
  list: readonly SeriesFacts[],
  more: Partial<EpochFacts> = {},
): EpochFacts => ({
  epoch: 1,
  day: '2026-03-01',
  tools: ['alpha', 'beta', 'gamma'].map(tool),
  series: list,
  daysCovered: { '7d': 1, '30d': 1, '90d': 1 },
  incident: false,
  previousRanks: new Map<AdoptionPeriod, ReadonlyMap<string, number>>(),
  ...more,
});
