import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { utcDay } from '#domain/adoption/period.js';
import { publication_policy_version, type PublicationPolicy } from '#domain/adoption/policy.js';
import type { Catalogue } from '#postgres/publication/catalogue-reader.js';
import type { DirtyDay } from '#postgres/publication/dirty-days.js';
import type { PublicationDesk, PublicationStore } from '#postgres/publication/publication-store.js';
import type { PublishedEpoch } from '#postgres/publication/published-epochs.js';
import { AdoptionRowsReader } from '#read-models/adoption-rows/adoption-rows.reader.js';
import { AdoptionRowsWriter } from '#read-models/adoption-rows/adoption-rows.writer.js';
import { snapshotChecksum } from '#read-models/adoption-rows/snapshot-checksum.js';
import { writeCatalogueProducts } from '#read-models/catalogue/catalogue-product.writer.js';
import { DevDayReader } from '#read-models/dev-day/dev-day.reader.js';
import { rebuildDays } from '#read-models/dev-day/dev-day.rebuild.js';
import { reachFaultPoint } from '#runtime/fault-points.js';
import { projector_limits } from '../limits.js';
import { dev_day_model } from '../project-usage/project-usage.js';
import { computeEpoch, fingerprintOf } from './compute-epoch.js';

export interface PublicationTerms {
  readonly policy: PublicationPolicy;
  /** Between two epochs; 0 publishes on request only. */
  readonly intervalMs: number;
}

/**
 * `unchanged`: due, but no day, catalogue or date is new. `busy`: another process publishes.
 */
export type PublicationOutcome =
  | { readonly kind: 'published'; readonly epoch: number; readonly days: number }
  | { readonly kind: 'not_due' | 'unchanged' | 'busy' };

/** What is known before anything is computed. */
interface Situation {
  readonly asOf: Date;
  readonly latest: PublishedEpoch | null;
  readonly requests: readonly string[];
  readonly dirty: readonly DirtyDay[];
  readonly catalogue: Catalogue;
  readonly fingerprint: string;
}

/** Publishes epochs: immutable snapshots, the only thing that public reads see. */
export class Publisher {
  constructor(
    private readonly publications: PublicationStore,
    private readonly clickhouse: Clickhouse,
    private readonly terms: PublicationTerms,
    private readonly clock: () => Date = () => new Date(),
  ) {}

  /** Publishes an epoch when somebody asked for one, or when one is due and something changed. */
  async publish(): Promise<PublicationOutcome> {
    const locked = await this.publications.asOnlyPublisher(async (desk) => {
      const situation = await this.look(desk);
      const reason = this.reasonNotTo(situation);
      return reason === null ? this.publishEpoch(desk, situation) : { kind: reason };
    });
    return locked.kind === 'busy' ? { kind: 'busy' } : locked.result;
  }

  private async look(desk: PublicationDesk): Promise<Situation> {
    // Requests first: whoever asks later than this waits for the next epoch.
    const requests = await desk.openRequests();
    const catalogue = await desk.catalogue();
    return {
      asOf: this.clock(),
      latest: await desk.latestEpoch(),
      requests,
      dirty: await desk.dirtyDays(dev_day_model),
      catalogue,
      fingerprint: fingerprintOf(catalogue, this.terms.policy),
    };
  }

  private reasonNotTo(situation: Situation): 'not_due' | 'unchanged' | null {
    const { requests, latest, asOf, dirty, fingerprint } = situation;
    if (requests.length > 0) return null;
    if (this.terms.intervalMs === 0) return 'not_due';
    if (latest === null) return dirty.length === 0 ? 'unchanged' : null;
    if (asOf.getTime() < latest.publishedAt.getTime() + this.terms.intervalMs) return 'not_due';
    const unchanged =
      dirty.length === 0 &&
      fingerprint === latest.fingerprint &&
      utcDay(asOf) === utcDay(latest.asOf);
    return unchanged ? 'unchanged' : null;
  }

  /**
   * The order of effects, and what survives a crash after each:
   *
   * 1. Dirty days are computed again and swapped in. They are still dirty: the next run repeats it.
   * 2. The catalogue and the rows of the new epoch are stored. Nobody reads rows that the pointer
   *    does not name, and the next run names its rows by their own checksum.
   * 3. In one transaction on the connection that holds the lock: the days are cleared unless they
   *    were marked again, the pointer is set, the requests are answered, old epochs forgotten.
   * 4. The rows of forgotten epochs are dropped; a later epoch drops what this one could not.
   */
  private async publishEpoch(
    desk: PublicationDesk,
    situation: Situation,
  ): Promise<PublicationOutcome> {
    const { dirty, requests } = situation;
    await rebuildDays(
      this.clickhouse,
      dirty.map(({ day }) => day),
    );
    const rows = new AdoptionRowsWriter(this.clickhouse);
    const epoch = await this.storeRows(rows, situation);
    await reachFaultPoint('publisher_after_rows');
    const oldestKept = epoch.epoch - projector_limits.epochs_kept + 1;
    await desk.publish({
      epoch,
      readModel: dev_day_model,
      computedDays: dirty,
      requests,
      oldestKept,
    });
    await rows.prune(oldestKept);
    return { kind: 'published', epoch: epoch.epoch, days: dirty.length };
  }

  /** Computes and stores the rows of the next epoch; answers with the pointer to them. */
  private async storeRows(
    rows: AdoptionRowsWriter,
    { asOf, latest, catalogue, fingerprint }: Situation,
  ): Promise<PublishedEpoch> {
    const { policy, intervalMs } = this.terms;
    await writeCatalogueProducts(this.clickhouse, fingerprint, catalogue.products);
    // A damaged former snapshot costs its readers the trend, and keeps nobody from publishing.
    const former = new AdoptionRowsReader(this.clickhouse);
    const previous = latest === null ? null : await former.snapshot(latest);
    const reader = new DevDayReader(this.clickhouse);
    const epoch = (latest?.epoch ?? 0) + 1;
    const input = { epoch, asOf, catalogue, fingerprint, policy, previous };
    const snapshot = await computeEpoch(reader, input);
    const checksum = snapshotChecksum(epoch, asOf, snapshot);
    await rows.write(epoch, checksum, snapshot);
    const publishedAt = this.clock();
    return {
      epoch,
      publishedAt,
      asOf,
      nextPublicationAt: intervalMs === 0 ? null : new Date(publishedAt.getTime() + intervalMs),
      checksum,
      fingerprint,
      policyVersion: publication_policy_version,
      policy,
    };
  }
}
