import { createHash } from 'node:crypto';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import {
  adoption_periods,
  periodDays,
  windowOf,
  type AdoptionPeriod,
} from '#domain/adoption/period.js';
import { publication_policy_version, publishRows } from '#domain/adoption/publication-policy.js';
import type { PublicationPolicy } from '#domain/adoption/publication-step.js';
import type { Catalogue } from '#postgres/publication/catalogue-reader.js';
import type { PublishedPeriod } from '#read-models/adoption-rows/adoption-rows.writer.js';
import type { DevDayReader } from '#read-models/dev-day/dev-day.reader.js';

export interface EpochInput {
  readonly asOf: Date;
  readonly catalogue: Catalogue;
  /** Names the state of the catalogue in the column store. */
  readonly fingerprint: string;
  readonly policy: PublicationPolicy;
  readonly previous: ReadonlyMap<AdoptionPeriod, readonly AdoptionRow[]>;
}

/** The rows of every period: counts from the column store, decisions from the policy. */
export async function computeEpoch(
  reader: DevDayReader,
  input: EpochInput,
): Promise<PublishedPeriod[]> {
  const periods: PublishedPeriod[] = [];
  for (const period of adoption_periods) {
    const window = windowOf(period, input.asOf);
    const cohorts = await reader.toolCohorts(window, input.fingerprint);
    const daysCovered = (await reader.coveredDays(window)) / periodDays(period);
    const rows = publishRows(
      {
        period,
        tools: input.catalogue.tools,
        cohorts,
        daysCovered,
        previousRanks: ranksOf(input.previous.get(period) ?? []),
      },
      input.policy,
    );
    periods.push({ period, rows });
  }
  return periods;
}

/** Identifies what an epoch is computed under; a change of it makes a new epoch worthwhile. */
export function fingerprintOf(catalogue: Catalogue, policy: PublicationPolicy): string {
  return sha256([publication_policy_version, policy, catalogue.tools, catalogue.products]);
}

/** Names a snapshot by its content. */
export function checksumOf(epoch: number, asOf: Date, periods: readonly PublishedPeriod[]): string {
  return sha256([epoch, asOf, periods]);
}

function ranksOf(rows: readonly AdoptionRow[]): ReadonlyMap<string, number> {
  return new Map(
    rows.flatMap(({ tool, rank }) => (rank === null || tool.id === null ? [] : [[tool.id, rank]])),
  );
}

function sha256(content: unknown): string {
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}
