import { createHash } from 'node:crypto';
import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import type { EpochOutcome } from '#domain/adoption/epoch.js';
import {
  adoption_periods,
  periodDays,
  utcDay,
  windowOf,
  type AdoptionPeriod,
} from '#domain/adoption/period.js';
import { publication_policy_version, type PublicationPolicy } from '#domain/adoption/policy.js';
import { publishEpoch } from '#domain/adoption/publish-epoch.js';
import type { Catalogue } from '#postgres/publication/catalogue-reader.js';
import type { SnapshotRows } from '#read-models/adoption-rows/snapshot-checksum.js';
import { readCoveredDays } from '#read-models/dev-day/dev-day.reader.js';
import { countSeries, type SeriesInput } from './count-series.js';

export interface EpochInput extends Omit<SeriesInput, 'catalogued'> {
  readonly catalogue: Catalogue;
  /** The snapshot before; null when there is none. */
  readonly previousRows: SnapshotRows | null;
  /** Events were lost or are late: figures are trusted less. */
  readonly incident: boolean;
}

/** The rows of every period, and what the next epoch has to know: counted here, decided there. */
export async function computeEpoch(
  clickhouse: Clickhouse,
  { catalogue, previousRows, incident, ...input }: EpochInput,
): Promise<EpochOutcome> {
  const { tables, epoch, asOf, policy } = input;
  const daysCovered = { '7d': 0, '30d': 0, '90d': 0 };
  const previousRanks = new Map<AdoptionPeriod, ReadonlyMap<string, number>>();
  for (const period of adoption_periods) {
    const covered = await readCoveredDays(clickhouse, tables, windowOf(period, asOf));
    daysCovered[period] = covered / periodDays(period);
    previousRanks.set(period, ranksOf(previousRows?.get(period) ?? []));
  }
  const catalogued = catalogue.tools.map(({ id }) => id);
  const facts = {
    epoch,
    day: utcDay(asOf),
    tools: catalogue.tools,
    series: await countSeries(clickhouse, { ...input, catalogued }),
    daysCovered,
    incident,
    previousRanks,
  };
  return publishEpoch(facts, policy);
}

/** Identifies what an epoch is computed under; a change of it makes a new epoch worthwhile. */
export function fingerprintOf(catalogue: Catalogue, policy: PublicationPolicy): string {
  const terms = [publication_policy_version, policy, catalogue.tools, catalogue.products];
  return createHash('sha256').update(JSON.stringify(terms)).digest('hex');
}

function ranksOf(rows: readonly AdoptionRow[]): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(({ tool, rank }) => (rank === null || tool.id === null ? [] : [[tool.id, rank]])),
  );
}
