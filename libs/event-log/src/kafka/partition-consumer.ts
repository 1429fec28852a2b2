import type { Logger } from '#runtime/logger.js';
import { Bell } from '../driver/bell.js';
import { deliver } from '../driver/deliver.js';
import type { LogBatch, LogRecord, SubscribeOptions, TopicPartition } from '../event-log.js';
import type { FetchedPosition, FetchPosition } from './fetching.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';

/** What a consumer needs of the member that runs it. */
export interface ConsumerHome {
  readonly options: SubscribeOptions;
  readonly limits: KafkaLogLimits;
  readonly logger: Logger | undefined;
  /** Stores the position; false when the partition may belong to another member by now. */
  commit(consumer: PartitionConsumer, next: bigint): Promise<boolean>;
  /** The consumer can take more records. */
  hungry(): void;
}

/** Delivers one partition to the handler, one batch after the other, and commits what is done. */
export class PartitionConsumer {
  readonly at: TopicPartition;
  private readonly revocation = new AbortController();
  private readonly loss = new AbortController();
  private readonly bell = new Bell();
  private paused = false;
  /** Fetched and not yet done. */
  private pending: readonly LogRecord[] = [];
  private fetchedTo: bigint;
  private high = 0n;

  constructor(
    readonly wireName: string,
    at: TopicPartition,
    position: bigint,
    private readonly home: ConsumerHome,
  ) {
    this.at = at;
    this.fetchedTo = position;
  }

  /** Fires when the partition may belong to another member: nothing is committed any more. */
  get lost(): AbortSignal {
    return this.loss.signal;
  }

  get revoked(): boolean {
    return this.revocation.signal.aborted;
  }

  /** Where to fetch next; null while it has enough, is paused or gives the partition up. */
  get wanted(): FetchPosition | null {
    if (this.revoked || this.paused || this.pending.length >= this.recordsMax) return null;
    return { ...this.at, wireName: this.wireName, offset: this.fetchedTo };
  }

  /** Records wait for the handler. */
  get busy(): boolean {
    return !this.revoked && !this.paused && this.pending.length > 0;
  }

  /** Takes what was fetched for a position that is still the wanted one. */
  take({ position, records, next, high }: FetchedPosition): void {
    if (position.offset !== this.fetchedTo) return;
    this.pending = [...this.pending, ...records];
    this.fetchedTo = next;
    this.high = high;
    this.bell.ring();
  }

  /** Ends the run after the handler that is under way; what it finishes is still committed. */
  revoke(): void {
    this.revocation.abort();
    this.bell.ring();
  }

  /** The partition may have another owner already. */
  lose(): void {
    this.loss.abort();
    this.revoke();
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    this.bell.ring();
    this.home.hungry();
  }

  async run(): Promise<void> {
    while (!this.revoked) {
      const records = this.paused ? [] : this.pending.slice(0, this.recordsMax);
      if (records.length === 0) {
        await this.bell.wait(this.home.limits.fetchWaitMs);
        continue;
      }
      const next = await this.deliver({ ...this.at, records, highWatermark: this.high });
      if (next === null || !(await this.home.commit(this, next))) return;
      this.pending = this.pending.slice(records.filter(({ offset }) => offset < next).length);
      this.home.hungry();
    }
  }

  private get recordsMax(): number {
    return this.home.options.batchRecordsMax ?? this.home.limits.batchRecordsMax;
  }

  private deliver(batch: LogBatch): Promise<bigint | null> {
    return deliver(batch, this.home.options, {
      signal: this.revocation.signal,
      limits: this.home.limits,
      logger: this.home.logger,
      whileResumed: async () => {
        while (this.paused && !this.revoked) await this.bell.wait(this.home.limits.fetchWaitMs);
      },
    });
  }
}
