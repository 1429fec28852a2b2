import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { pairsToCompare } from '#domain/adoption/pairs-to-compare.js';
import type { PublicationPolicy } from '#domain/adoption/policy.js';
import { new_series, stateUnder, type SeriesFacts } from '#domain/adoption/series.js';
import type { AdoptionTables } from '#read-models/adoption-version/adoption-version.js';
import { readCandidates } from '#read-models/published-cohort/candidate-facts.reader.js';
import { writeCandidateLinks } from '#read-models/published-cohort/candidate-links.writer.js';
import { CohortDifferencesReader } from '#read-models/published-cohort/cohort-differences.reader.js';
import type { PublishedSeries } from '#read-models/published-cohort/published-series.js';
import { seriesKey } from '#read-models/published-cohort/series-name.js';

/** What the series of an epoch are counted from. */
export interface SeriesInput {
  /** Of the version of the projection that is live. */
  readonly tables: AdoptionTables;
  readonly epoch: number;
  readonly asOf: Date;
  /** Under which the links of this epoch are stored, and those of the epoch before. */
  readonly attempt: string;
  readonly previousAttempt: string | null;
  /** What the epoch before handed on. */
  readonly previous: readonly PublishedSeries[];
  readonly fingerprint: string;
  readonly catalogued: readonly string[];
  readonly policy: PublicationPolicy;
}

/**
 * Stores the links of an attempt and counts them: what each series would like to show, and how far
 * that is from everything that the policy compares it with. Counts are all that leaves the store.
 */
export async function countSeries(
  clickhouse: Clickhouse,
  { epoch, asOf, attempt, previousAttempt, previous, ...input }: SeriesInput,
): Promise<SeriesFacts[]> {
  const { tables, fingerprint, catalogued, policy } = input;
  const tools = [...new Set([...catalogued, ...previous.map(({ toolId }) => toolId)])];
  const links = { tables, attempt, previous: previousAttempt, asOf, fingerprint, tools };
  const packs = await writeCandidateLinks(clickhouse, links);
  const series = new Map(
    previous.map((one) => [
      seriesKey(one),
      { ...one, candidates: [] as SeriesFacts['candidates'] },
    ]),
  );
  for (const pack of packs) {
    for (const counted of await readCandidates(clickhouse, attempt, pack)) {
      const before = series.get(seriesKey(counted)) ?? { state: new_series, slots: {} };
      series.set(seriesKey(counted), { ...before, ...counted });
    }
  }
  const placed = [...series.values()].map((one) => ({
    ...one,
    epoch,
    pairs: pairsToCompare(one, epoch, policy),
    published: stateUnder(policy, one.state).published,
  }));
  const reader = new CohortDifferencesReader(clickhouse, attempt);
  const differences = await reader.differences(placed);
  return placed.map((one) => ({
    toolId: one.toolId,
    label: one.label,
    candidates: one.candidates,
    differences: differences.get(seriesKey(one)) ?? [],
    state: one.state,
  }));
}
