import { randomUUID } from 'node:crypto';
import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { utcDay } from '#domain/adoption/period.js';
import { publication_policy_version, type PublicationPolicy } from '#domain/adoption/policy.js';
import type { Catalogue } from '#postgres/publication/catalogue-reader.js';
import type { DirtyDay } from '#postgres/publication/dirty-days.js';
import type { PublicationDesk, PublicationStore } from '#postgres/publication/publication-store.js';
import type { PublishedEpoch } from '#postgres/publication/published-epochs.js';
import { AdoptionRowsReader } from '#read-models/adoption-rows/adoption-rows.reader.js';
import { AdoptionRowsWriter } from '#read-models/adoption-rows/adoption-rows.writer.js';
import {
  adoption_projection,
  adoptionVersion,
  type AdoptionVersion,
} from '#read-models/adoption-version/adoption-version.js';
import { dropOtherAttempts } from '#read-models/published-cohort/attempts.js';
import { reachFaultPoint } from '#runtime/fault-points.js';
import { projector_limits } from '../limits.js';
import { applyLinks } from './apply-links.js';
import { fingerprintOf } from './compute-epoch.js';
import { draftEpoch, type DraftInput } from './draft-epoch.js';
import { reportOf } from './publication-report.js';
import { storeEpoch, type StoredEpoch } from './store-epoch.js';

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
  /** The version that is live; nothing changes it while the publication lock is held. */
  readonly version: AdoptionVersion;
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
    private readonly hadIncident: (asOf: Date) => Promise<boolean> = () => Promise.resolve(false),
  ) {}

  /** Publishes an epoch when somebody asked for one, or when one is due and something changed. */
  async publish(): Promise<PublicationOutcome> {
    const locked = await this.publications.asOnlyPublisher(async (desk) => {
      const rehearsals = await desk.openRehearsals();
      if (rehearsals.length > 0) await this.rehearse(desk, rehearsals);
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
    const version = adoptionVersion(await desk.liveVersion(adoption_projection));
    return {
      asOf: this.clock(),
      version,
      latest: await desk.latestEpoch(),
      requests,
      dirty: await desk.dirtyDays(version.daysModel),
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
   * 1. Links between developers are copied into the column store, their days marked dirty first:
   *    the next run repeats what was not copied.
   * 2. Dirty days are computed again and swapped in, and what they say of lifecycles is merged in.
   *    They are still dirty: the next run repeats it, with the same result.
   * 3. The links of the new cohorts are stored under this attempt. No other attempt reads them, and
   *    the next one drops them.
   * 4. The rows are stored, named by their checksum, and what the next epoch has to know, named by
   *    the attempt. Nobody reads what the pointer does not name.
   * 5. In one transaction on the connection that holds the lock: the days are cleared unless they
   *    were marked again, the pointer is set, the requests are answered, old epochs forgotten.
   * 6. What nobody reads any more is dropped; a later epoch drops what this one could not.
   */
  private async publishEpoch(
    desk: PublicationDesk,
    situation: Situation,
  ): Promise<PublicationOutcome> {
    await applyLinks(desk, this.clickhouse);
    const { version, requests, asOf } = situation;
    const dirty = await desk.dirtyDays(version.daysModel);
    const attempt = randomUUID();
    const input = await this.draftInput(attempt, { ...situation, dirty });
    const draft = await draftEpoch(this.clickhouse, input);
    const stored = await storeEpoch(this.clickhouse, attempt, asOf, draft);
    await reachFaultPoint('publisher_after_rows');
    const epoch = this.pointerTo(draft.epoch, { ...stored, attempt }, situation);
    const oldestKept = epoch.epoch - projector_limits.epochs_kept + 1;
    await desk.publish({
      epoch,
      readModel: version.daysModel,
      computedDays: dirty,
      requests,
      oldestKept,
    });
    await reachFaultPoint('publisher_after_pointer');
    await new AdoptionRowsWriter(this.clickhouse).prune(oldestKept);
    await dropOtherAttempts(this.clickhouse, attempt);
    return { kind: 'published', epoch: epoch.epoch, days: dirty.length };
  }

  /**
   * Drafts the next epoch as if it were published, reports to who asked, and forgets it: neither
   * pointer nor dirty days nor any row that is read is touched.
   */
  private async rehearse(desk: PublicationDesk, requests: readonly string[]): Promise<void> {
    const situation = await this.look(desk);
    const { asOf, latest, catalogue } = situation;
    const input = await this.draftInput(randomUUID(), situation);
    const draft = await draftEpoch(this.clickhouse, input);
    const rows = new AdoptionRowsReader(this.clickhouse);
    const shown = latest === null ? null : await rows.snapshot(latest);
    const days = input.dirtyDays;
    // Before the report, so that who has it finds nothing left behind.
    await dropOtherAttempts(this.clickhouse, latest?.attempt ?? null);
    await desk.report(requests, reportOf(draft, { asOf, days, tools: catalogue.tools, shown }));
  }

  private async draftInput(attempt: string, situation: Situation): Promise<DraftInput> {
    const { asOf, version, latest, dirty, catalogue, fingerprint } = situation;
    const { policy } = this.terms;
    const dirtyDays = dirty.map(({ day }) => day);
    // Asked for each epoch, not at each look whether one is due: it searches the log.
    const incident = await this.hadIncident(asOf);
    const terms = { policy, incident };
    return { attempt, asOf, version, latest, dirtyDays, catalogue, fingerprint, ...terms };
  }

  private pointerTo(
    epoch: number,
    stored: StoredEpoch & { readonly attempt: string },
    { asOf, fingerprint }: Situation,
  ): PublishedEpoch {
    const { policy, intervalMs } = this.terms;
    const publishedAt = this.clock();
    return {
      epoch,
      publishedAt,
      asOf,
      nextPublicationAt: intervalMs === 0 ? null : new Date(publishedAt.getTime() + intervalMs),
      fingerprint,
      policyVersion: publication_policy_version,
      policy,
      ...stored,
    };
  }
}
