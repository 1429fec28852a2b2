import { createHash } from 'node:crypto';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import {
  adoption_periods,
  periodDays,
  windowOf,
  type AdoptionPeriod,
} from '#domain/adoption/period.js';
import { publication_policy_version, publishRows } from '#domain/adoption/publication-policy.js';
import type { PublicationPolicy } from '#domain/adoption/policy.js';
import type { Catalogue } from '#postgres/publication/catalogue-reader.js';
import type { SnapshotRows } from '#read-models/adoption-rows/snapshot-checksum.js';
import type { DevDayReader } from '#read-models/dev-day/dev-day.reader.js';

export interface EpochInput {
  readonly asOf: Date;
  readonly catalogue: Catalogue;
  /** Names the state of the catalogue in the column store. */
  readonly fingerprint: string;
  readonly policy: PublicationPolicy;
  /** The epoch before; null when there is none. */
  readonly previous: SnapshotRows | null;
}

/** The rows of every period: counts from the column store, decisions from the policy. */
export async function computeEpoch(reader: DevDayReader, input: EpochInput): Promise<SnapshotRows> {
  const snapshot = new Map<AdoptionPeriod, readonly AdoptionRow[]>();
  for (const period of adoption_periods) {
    const window = windowOf(period, input.asOf);
    const facts = {
      period,
      tools: input.catalogue.tools,
      cohorts: await reader.toolCohorts(window, input.fingerprint),
      daysCovered: (await reader.coveredDays(window)) / periodDays(period),
      previousRanks: ranksOf(input.previous?.get(period) ?? []),
    };
    snapshot.set(period, publishRows(facts, input.policy));
  }
  return snapshot;
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
