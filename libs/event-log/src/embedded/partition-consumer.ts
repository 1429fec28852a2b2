import type { Logger } from '#runtime/logger.js';
import type { LogBatch, LogRecord, SubscribeOptions, TopicPartition } from '../event-log.js';
import type { BatchReader, FetchedRecords } from './batch-reader.js';
import { Bell } from '../driver/bell.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';
import type { GroupOffsets } from './group-offsets.js';
import type { GroupTopic } from './member-session.js';
import { outlast } from './outage.js';
import { deliver } from '../driver/deliver.js';
import type { KnownTopic } from './topic-registry.js';

/** `fenced`: somebody else owns the partition by now, or its position was reset. */
export type ConsumerEnd = 'released' | 'fenced';

/** A partition as this member owns it. */
export interface OwnedPartition {
  readonly groupTopic: GroupTopic;
  readonly partition: number;
  readonly epoch: bigint;
  /** The first offset to deliver. */
  readonly position: bigint;
}

export interface ConsumerTools {
  readonly reader: BatchReader;
  readonly offsets: GroupOffsets;
  readonly limits: EmbeddedLogLimits;
  readonly logger: Logger | undefined;
}

/** Delivers one partition to the handler, one batch after the other, and commits what is done. */
export class PartitionConsumer {
  readonly at: TopicPartition;
  private readonly revocation = new AbortController();
  private readonly bell = new Bell();
  private readonly topic: KnownTopic;
  private position: bigint;
  private high = 0n;
  private paused = false;
  /** Fetched and not yet delivered; the first stands at `position`. */
  private pending: readonly LogRecord[] = [];
  private ahead: Promise<FetchedRecords | null> | null = null;

  constructor(
    private readonly owned: OwnedPartition,
    private readonly options: SubscribeOptions,
    private readonly tools: ConsumerTools,
  ) {
    const { topic, topicId } = owned.groupTopic;
    this.at = { topic, partition: owned.partition };
    this.topic = { id: topicId, name: topic, partitions: owned.partition + 1 };
    this.position = owned.position;
  }

  get revoked(): boolean {
    return this.revocation.signal.aborted;
  }

  /** Ends the run after the handler that is under way; what it finishes is still committed. */
  revoke(): void {
    this.revocation.abort();
    this.bell.ring();
  }

  setPaused(paused: boolean): void {
    this.paused = paused;
    this.bell.ring();
  }

  /** The partition reaches up to `high` now. */
  sawHigh(high: bigint): void {
    if (high <= this.high) return;
    this.high = high;
    this.bell.ring();
  }

  /** @throws on a loss that no repeat can mend; the handler's errors never end the run. */
  async run(): Promise<ConsumerEnd> {
    while (!this.revoked) {
      const batch = await this.nextBatch();
      if (batch === null) continue;
      const next = await this.deliver(batch);
      if (next === null) break;
      const committed = await this.commit(next);
      if (committed === false) return 'fenced';
      if (committed === null) break;
      this.pending = this.pending.slice(Number(next - this.position));
      this.position = next;
    }
    return 'released';
  }

  private get recordsMax(): number {
    return this.options.batchRecordsMax ?? this.tools.limits.batchRecordsMax;
  }

  /** Null when there is nothing to deliver yet. */
  private async nextBatch(): Promise<LogBatch | null> {
    if (this.paused || (this.pending.length === 0 && this.high <= this.position)) {
      await this.bell.wait(this.tools.limits.pollMs);
      return null;
    }
    if (this.pending.length === 0) {
      const fetched = await (this.ahead ?? this.fetch(this.position));
      this.ahead = null;
      if (fetched === null) return null;
      this.pending = fetched.records;
      this.sawHigh(fetched.high);
      if (fetched.records.length === 0) return null;
    }
    const records = this.pending.slice(0, this.recordsMax);
    this.fetchAhead(records.at(-1)!.offset + 1n);
    return { ...this.at, records, highWatermark: this.high };
  }

  private fetch(from: bigint): Promise<FetchedRecords | null> {
    const { reader, limits } = this.tools;
    return outlast(
      () => reader.fetch(this.topic, this.owned.partition, from, this.recordsMax),
      this.revocation.signal,
      limits,
    );
  }

  /** While the handler works on the last fetched records, the next ones are on their way. */
  private fetchAhead(from: bigint): void {
    const last = this.pending.at(-1)!.offset + 1n;
    if (this.ahead !== null || from !== last || this.high <= last) return;
    this.ahead = this.fetch(last);
    this.ahead.catch(() => undefined);
  }

  private deliver(batch: LogBatch): Promise<bigint | null> {
    return deliver(batch, this.options, {
      signal: this.revocation.signal,
      limits: this.tools.limits,
      logger: this.tools.logger,
      whileResumed: () => this.waitWhilePaused(),
    });
  }

  private async waitWhilePaused(): Promise<void> {
    while (this.paused && !this.revoked) await this.bell.wait(this.tools.limits.pollMs);
  }

  /** False when fenced; null when the partition was taken away before the store answered. */
  private commit(next: bigint): Promise<boolean | null> {
    const { groupTopic, partition, epoch } = this.owned;
    const { offsets, limits } = this.tools;
    return outlast(
      () => offsets.commit({ groupTopicId: groupTopic.groupTopicId, partition, epoch, next }),
      this.revocation.signal,
      limits,
    );
  }
}
