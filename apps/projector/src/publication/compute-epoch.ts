import { createHash } from 'node:crypto';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
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
import type { DevDayReader, ToolMember } from '#read-models/dev-day/dev-day.reader.js';
import { seriesFacts } from './series-facts.js';

export interface EpochInput {
  readonly epoch: number;
  readonly asOf: Date;
  readonly catalogue: Catalogue;
  /** Names the state of the catalogue in the column store. */
  readonly fingerprint: string;
  readonly policy: PublicationPolicy;
  /** The epoch before; null when there is none. */
  readonly previous: SnapshotRows | null;
}

/** The rows of every period: members from the column store, decisions from the policy. */
export async function computeEpoch(reader: DevDayReader, input: EpochInput): Promise<SnapshotRows> {
  const { epoch, asOf, catalogue, fingerprint, policy } = input;
  const members = new Map<AdoptionPeriod, readonly ToolMember[]>();
  const daysCovered = { '7d': 0, '30d': 0, '90d': 0 };
  const previousRanks = new Map<AdoptionPeriod, ReadonlyMap<string, number>>();
  for (const period of adoption_periods) {
    const window = windowOf(period, asOf);
    members.set(period, await reader.toolMembers(window, fingerprint));
    daysCovered[period] = (await reader.coveredDays(window)) / periodDays(period);
    previousRanks.set(period, ranksOf(input.previous?.get(period) ?? []));
  }
  const facts = {
    epoch,
    day: utcDay(asOf),
    tools: catalogue.tools,
    series: seriesFacts(members, epoch, policy),
    daysCovered,
    incident: false,
    previousRanks,
  };
  return publishEpoch(facts, policy).rows;
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
