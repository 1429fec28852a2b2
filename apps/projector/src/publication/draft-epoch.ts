import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { EpochOutcome } from '#domain/adoption/epoch.js';
import type { PublicationPolicy } from '#domain/adoption/policy.js';
import type { Catalogue } from '#postgres/publication/catalogue-reader.js';
import type { PublishedEpoch } from '#postgres/publication/published-epochs.js';
import { AdoptionRowsReader } from '#read-models/adoption-rows/adoption-rows.reader.js';
import type { AdoptionVersion } from '#read-models/adoption-version/adoption-version.js';
import { writeCatalogueProducts } from '#read-models/catalogue/catalogue-product.writer.js';
import { rebuildDays } from '#read-models/dev-day/dev-day.rebuild.js';
import { addLifecycleDays, rebuildLifecycle } from '#read-models/lifecycle/lifecycle.writer.js';
import { dropOtherAttempts } from '#read-models/published-cohort/attempts.js';
import {
  readPublishedSeries,
  type PublishedSeries,
} from '#read-models/published-cohort/published-series.js';
import { reachFaultPoint } from '#runtime/fault-points.js';
import { computeEpoch } from './compute-epoch.js';

/** What an epoch is drafted from. */
export interface DraftInput {
  /** Names what is stored for this draft and for no other. */
  readonly attempt: string;
  readonly asOf: Date;
  /** The version of the projection that is live. */
  readonly version: AdoptionVersion;
  readonly latest: PublishedEpoch | null;
  readonly dirtyDays: readonly string[];
  readonly catalogue: Catalogue;
  readonly fingerprint: string;
  readonly policy: PublicationPolicy;
  /** Events were lost or are late: figures are trusted less. */
  readonly incident: boolean;
}

/** An epoch that is computed and not published. */
export interface EpochDraft {
  readonly epoch: number;
  readonly outcome: EpochOutcome;
  /** What the epoch before handed on. */
  readonly previous: readonly PublishedSeries[];
}

/**
 * Brings the derived days up to date and computes the next epoch from them. Days and lifecycle end
 * up the same however often this runs, and the links belong to the attempt: nothing that it writes
 * is seen by a reader or by another attempt. What failed attempts left is dropped first.
 *
 * @throws Error when the cohorts that the new ones have to be compared with are gone.
 */
export async function draftEpoch(clickhouse: Clickhouse, input: DraftInput): Promise<EpochDraft> {
  const { attempt, asOf, version, latest, dirtyDays, catalogue, fingerprint } = input;
  const { policy, incident } = input;
  const { tables } = version;
  await dropOtherAttempts(clickhouse, latest?.attempt ?? null);
  await rebuildDays(clickhouse, tables, dirtyDays);
  // What starts anew takes nothing over: neither cohorts nor lifecycles.
  if (latest?.attempt == null) await rebuildLifecycle(clickhouse, tables);
  else await addLifecycleDays(clickhouse, tables, dirtyDays);
  await reachFaultPoint('publisher_after_days');
  await writeCatalogueProducts(clickhouse, fingerprint, catalogue.products);
  const previous = latest === null ? [] : await handedOn(clickhouse, latest);
  // A damaged former snapshot costs its readers the trend, and keeps nobody from publishing.
  const former = new AdoptionRowsReader(clickhouse);
  const epoch = (latest?.epoch ?? 0) + 1;
  const outcome = await computeEpoch(clickhouse, {
    tables,
    epoch,
    asOf,
    attempt,
    previousAttempt: latest?.attempt ?? null,
    previous,
    catalogue,
    fingerprint,
    policy,
    incident,
    previousRows: latest === null ? null : await former.snapshot(latest),
  });
  await reachFaultPoint('publisher_after_cohorts');
  return { epoch, outcome, previous };
}

/** Without them the difference gate would stand open unnoticed, so they have to be there. */
async function handedOn(
  clickhouse: Clickhouse,
  { epoch, attempt, seriesCount }: PublishedEpoch,
): Promise<PublishedSeries[]> {
  if (attempt === null) return [];
  const series = await readPublishedSeries(clickhouse, attempt);
  if (series.length === seriesCount) return series;
  throw new Error(
    `Of ${seriesCount} series behind epoch ${epoch}, ${series.length} are left: new figures ` +
      'could not be compared with published ones. To start all series anew nevertheless, set ' +
      'published_epoch.attempt of this epoch to null.',
  );
}
