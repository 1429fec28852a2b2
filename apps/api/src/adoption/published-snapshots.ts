import { setTimeout as pause } from 'node:timers/promises';
import type { OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { ProblemError } from '#domain/errors.js';
import type { PublicationStore } from '#postgres/publication/publication-store.js';
import type { PublishedEpoch } from '#postgres/publication/published-epochs.js';
import type { AdoptionRowsReader } from '#read-models/adoption-rows/adoption-rows.reader.js';
import type { SnapshotRows } from '#read-models/adoption-rows/snapshot-checksum.js';
import type { Logger } from '#runtime/logger.js';

/** How often the pointer is read, whatever the number of requests. */
const check_ms = 1_000;

/** What was published last, with all of its rows. */
export interface PublishedSnapshot {
  readonly epoch: PublishedEpoch;
  readonly periods: SnapshotRows;
}

/**
 * The latest snapshot, held in memory: requests touch no store. It follows the pointer within
 * about a second, and stays what it was while a store cannot be reached.
 */
export class PublishedSnapshots implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();
  private snapshot: PublishedSnapshot | null | undefined;

  constructor(
    private readonly publications: PublicationStore,
    private readonly rows: AdoptionRowsReader,
    private readonly logger: Logger,
  ) {}

  /** Follows the pointer from here on; the first look is over when this resolves. */
  async onApplicationBootstrap(): Promise<void> {
    await this.look();
    this.running = this.follow();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /**
   * The latest snapshot; null before the first epoch.
   * @throws ProblemError `not_ready` while it has not been possible to find out.
   */
  current(): PublishedSnapshot | null {
    if (this.snapshot === undefined) {
      throw new ProblemError('not_ready', 'The published snapshot could not be read yet.', {
        retryAfterSeconds: 1,
      });
    }
    return this.snapshot;
  }

  /** The same without a fault: undefined while it is not known. */
  get latest(): PublishedSnapshot | null | undefined {
    return this.snapshot;
  }

  private async follow(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      await pause(check_ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (!this.stopping.signal.aborted) await this.look();
    }
  }

  private async look(): Promise<void> {
    try {
      const epoch = await this.publications.latestEpoch();
      if (epoch === null) this.snapshot = null;
      else if (epoch.checksum !== this.snapshot?.epoch.checksum) await this.load(epoch);
    } catch (error) {
      this.logger.warn({ err: error }, 'the published snapshot could not be read');
    }
  }

  private async load(epoch: PublishedEpoch): Promise<void> {
    const periods = await this.rows.snapshot(epoch);
    if (periods === null) throw new Error(`The rows of epoch ${epoch.epoch} are not all there.`);
    this.snapshot = { epoch, periods };
    this.logger.info({ epoch: epoch.epoch }, 'serving a new epoch');
  }
}
