/**
 * The event log: one port, one driver per technology (`embedded/`, `kafka/`).
 *
 * Delivery is at least once. Two records with one event id can always exist; consumers collapse
 * them by id. Offsets are per partition, contiguous, and in commit order. Absent on purpose:
 * transactions, compaction, and "append inside my Postgres transaction".
 */
export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
  /** How long records are kept. */
  readonly retentionMs: number;
}

/** What a producer hands over. `key` chooses the partition (murmur2, as Kafka's default). */
export interface LogRecordInput {
  readonly key: string;
  /** Text is stored as UTF-8. */
  readonly value: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Where a record landed; durable once it is returned. */
export interface LogAck {
  readonly partition: number;
  readonly offset: bigint;
}

export interface LogRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  /** When the log appended it, epoch milliseconds. */
  readonly appendedAt: number;
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** Consecutive records of one partition, in offset order; never empty. */
export interface LogBatch {
  readonly topic: string;
  readonly partition: number;
  readonly records: readonly LogRecord[];
  /** One past the newest offset of the partition when the batch was read. */
  readonly highWatermark: bigint;
}

export interface TopicPartition {
  readonly topic: string;
  readonly partition: number;
}

/** What a handler needs beside the batch. */
export interface HandlerContext {
  /** Fires when the partition is taken away or the subscription stops: give up and return. */
  readonly signal: AbortSignal;
  /** How often this very batch has been delivered to this member before (0 at first). */
  readonly attempt: number;
}

/**
 * Returns nothing when the whole batch is done, or `{ next }` when only the records below `next`
 * are: the rest is delivered again. A throw delivers the same batch again after a back-off, while
 * other partitions go on.
 */
export type BatchHandler = (
  batch: LogBatch,
  context: HandlerContext,
) => Promise<void | { readonly next: bigint }>;

export interface SubscribeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  readonly handler: BatchHandler;
  /** Largest batch handed to the handler, in records. */
  readonly batchRecordsMax?: number;
  /** Called for every failed handler run, before its back-off; for logs and metrics. */
  readonly onHandlerError?: (error: unknown, at: TopicPartition) => void;
}

export interface Subscription {
  /** The partitions this member owns now. */
  assignment(): readonly TopicPartition[];
  pause(partitions: readonly TopicPartition[]): void;
  resume(partitions: readonly TopicPartition[]): void;
  /** Rejects on a fatal loss (the process should exit non-zero); resolves after `stop`. */
  readonly done: Promise<void>;
  /** Drains running handlers, commits what they finished, leaves the group. */
  stop(): Promise<void>;
}

/** A position in a topic: offsets per partition, or a time (its first record at or after). */
export type LogPosition =
  | { readonly at: 'beginning' | 'end' }
  | { readonly at: 'time'; readonly time: Date }
  | { readonly at: 'offsets'; readonly offsets: ReadonlyMap<number, bigint> };

export interface ReadOptions {
  readonly from?: LogPosition;
  /** Exclusive; always bounded by the high watermark at the time of the call. */
  readonly to?: LogPosition;
  readonly partitions?: readonly number[];
  readonly batchRecordsMax?: number;
}

export interface PartitionRange {
  readonly partition: number;
  /** Oldest offset still kept. */
  readonly low: bigint;
  /** One past the newest offset. */
  readonly high: bigint;
}

export interface GroupLag {
  readonly partition: number;
  readonly committed: bigint | null;
  readonly high: bigint;
  readonly lag: bigint;
}

export interface GroupSummary {
  readonly group: string;
  readonly topics: readonly string[];
  readonly members: number;
}

export interface LogHealth {
  readonly up: boolean;
  /** Shown to everybody by `readyz`: neither addresses nor texts of the driver. */
  readonly detail: string;
}

/** The type and the injection token in one. */
export abstract class EventLog {
  /** Short name of the driver, for logs, metrics and `readyz`: `embedded`, `kafka`. */
  abstract readonly driver: string;

  /** Creates missing topics, raises partition counts and updates retention; never lowers. */
  abstract ensureTopics(specs: readonly TopicSpec[]): Promise<void>;

  /**
   * Appends durably and answers in input order.
   * @throws LogBackpressureError when the driver's queue is full; nothing was appended.
   * @throws LogUnavailableError with `outcomeUnknown` true when some of it may have landed.
   */
  abstract append(
    topic: string,
    records: readonly LogRecordInput[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly LogAck[]>;

  abstract subscribe(options: SubscribeOptions): Promise<Subscription>;

  /** Reads without a group; ends at the high watermark of the moment it was called. */
  abstract read(topic: string, options?: ReadOptions): AsyncIterable<LogBatch>;

  abstract ranges(topic: string): Promise<readonly PartitionRange[]>;

  /** The first offset appended at or after `time`, per partition (the end when there is none). */
  abstract offsetsAt(topic: string, time: Date): Promise<ReadonlyMap<number, bigint>>;

  abstract committed(group: string, topic: string): Promise<ReadonlyMap<number, bigint>>;

  /** @throws GroupActiveError while the group has live members. */
  abstract resetGroup(group: string, topic: string, to: LogPosition): Promise<void>;

  abstract lag(group: string, topic: string): Promise<readonly GroupLag[]>;

  abstract groups(): Promise<readonly GroupSummary[]>;

  /** Cheap; never throws. */
  abstract health(): Promise<LogHealth>;

  /** Stops every subscription and releases connections. */
  abstract close(): Promise<void>;
}

/** The driver's queue is full; nothing of the call was appended. */
export class LogBackpressureError extends Error {
  constructor(readonly retryAfterMs: number) {
    super(`The event log takes no more records for now; retry after ${retryAfterMs} ms.`);
    this.name = 'LogBackpressureError';
  }
}

/** The log did not answer. `outcomeUnknown`: the records may or may not be in it. */
export class LogUnavailableError extends Error {
  constructor(
    detail: string,
    readonly outcomeUnknown: boolean,
    cause?: unknown,
  ) {
    super(`The event log is unavailable: ${detail}`, { cause });
    this.name = 'LogUnavailableError';
  }
}

/** The group has live members, so its offsets may not be moved. */
export class GroupActiveError extends Error {
  constructor(
    readonly group: string,
    readonly members: number,
  ) {
    super(`Group "${group}" has ${members} live member(s); stop them first.`);
    this.name = 'GroupActiveError';
  }
}

/** The offset asked for is no longer (or not yet) in the log. Never answered by a jump. */
export class OffsetOutOfRangeError extends Error {
  constructor(
    readonly topic: string,
    readonly partition: number,
    readonly offset: bigint,
    readonly range: { readonly low: bigint; readonly high: bigint },
  ) {
    super(
      `Offset ${offset} of ${topic}/${partition} is outside ${range.low}..${range.high}` +
        ' (records below the low end were removed by retention).',
    );
    this.name = 'OffsetOutOfRangeError';
  }
}

/** The topic was never created; `ensureTopics` does that. */
export class UnknownTopicError extends Error {
  constructor(readonly topic: string) {
    super(`The event log has no topic "${topic}"; create it with ensureTopics.`);
    this.name = 'UnknownTopicError';
  }
}
