import {
  LogUnavailableError,
  OffsetOutOfRangeError,
  type EventLog,
  type LogBatch,
  type LogRecord,
} from '#event-log/event-log.js';
import { partitionOf } from '#event-log/partitioner.js';
import { CommandFailedError } from '../command-failed.js';
import type { CapturedTopic } from './captured-topic.js';
import { placeOf, type Findings } from './findings.js';
import { verification_limits } from './limits.js';
import { sliceOf, type Portion } from './portions.js';

/** A key is not where its hash says: partitions were added since its record was appended. */
export class ScatteredKeysError extends Error {
  constructor(place: string) {
    super(`The key of ${place} belongs to another partition now.`);
    this.name = 'ScatteredKeysError';
  }
}

export interface Scan {
  readonly log: EventLog;
  readonly topic: CapturedTopic;
  readonly portion: Portion;
  /** The topic is not partitioned by event id as the portions are: read all of its partitions. */
  readonly allPartitions?: boolean;
  /** Told what is wrong with offsets and times, once for each partition. */
  readonly findings?: Findings;
  readonly onRead?: (records: number) => void;
  /** Portions already take in all partitions. */
  readonly scattered: boolean;
}

/**
 * Reads the records of a portion between the watermarks and hands them over in the order of each
 * partition. Answers with the horizon: retention may have removed what was appended before it
 * (epoch milliseconds; -Infinity while nothing was removed).
 */
export async function scan(what: Scan, visit: (record: LogRecord) => void): Promise<number> {
  const { log, topic, portion, onRead } = what;
  const bounds = await boundsOf(what);
  const order = new OrderCheck(bounds, portion.slice === 0 ? what.findings : undefined);
  const check = what.allPartitions === true || what.scattered ? null : topic.ranges.length;
  for await (const batch of batchesWithin(log, topic.name, bounds)) {
    order.take(batch);
    for (const record of batch.records) {
      if (check !== null && partitionOf(record.key, check) !== record.partition) {
        throw new ScatteredKeysError(placeOf(record));
      }
      if (sliceOf(record.key, portion.slices) === portion.slice) visit(record);
    }
    onRead?.(batch.records.length);
  }
  order.end(topic.name);
  return horizonOf(topic, bounds, order);
}

interface Bounds {
  readonly low: bigint;
  readonly high: bigint;
}

/** From where to where each partition is read: retention may have gone on since the capture. */
async function boundsOf(what: Scan): Promise<ReadonlyMap<number, Bounds>> {
  const { log, topic, portion, allPartitions } = what;
  const now = new Map((await log.ranges(topic.name)).map((range) => [range.partition, range.low]));
  const bounds = new Map<number, Bounds>();
  for (const { partition, low, high } of topic.ranges) {
    if (allPartitions !== true && !portion.partitions.includes(partition)) continue;
    const kept = now.get(partition) ?? low;
    bounds.set(partition, { low: kept > low ? kept : low, high });
  }
  return bounds;
}

async function* batchesWithin(
  log: EventLog,
  topic: string,
  bounds: ReadonlyMap<number, Bounds>,
): AsyncGenerator<LogBatch> {
  let place = `${topic}, its beginning`;
  for (const [partition, { low, high }] of bounds) {
    if (low >= high) continue;
    const at = (offset: bigint) =>
      ({ at: 'offsets', offsets: new Map([[partition, offset]]) }) as const;
    const options = {
      partitions: [partition],
      from: at(low),
      to: at(high),
      batchRecordsMax: verification_limits.fetch_records_max,
    };
    place = `${topic}/${partition}/${low}`;
    try {
      for await (const batch of log.read(topic, options)) {
        yield batch;
        place = `${topic}/${partition}/${batch.records.at(-1)!.offset + 1n}`;
      }
    } catch (error) {
      throw readFailure(error, place);
    }
  }
}

/** What cannot be read at all ends the verification: nothing can be said of what follows. */
function readFailure(error: unknown, place: string): unknown {
  const away = error instanceof LogUnavailableError || error instanceof OffsetOutOfRangeError;
  if (away || !(error instanceof Error)) return error;
  return new CommandFailedError(
    'log_damaged',
    `The log is unreadable, beginning at ${place}: ${error.message}`,
  );
}

/** Offsets follow each other without a gap from end to end, and times never go back. */
class OrderCheck {
  private readonly expected = new Map<number, bigint>();
  private readonly newest = new Map<number, number>();
  /** Partition → when its oldest record was appended. */
  readonly oldest = new Map<number, number>();

  constructor(
    private readonly bounds: ReadonlyMap<number, Bounds>,
    private readonly findings: Findings | undefined,
  ) {}

  take(batch: LogBatch): void {
    const { partition } = batch;
    let expected = this.expected.get(partition) ?? this.bounds.get(partition)!.low;
    let newest = this.newest.get(partition) ?? -Infinity;
    if (!this.oldest.has(partition)) this.oldest.set(partition, batch.records[0]!.appendedAt);
    for (const record of batch.records) {
      if (record.offset !== expected) {
        this.findings?.add('gap', null, placeOf(record), `${expected} was expected here`);
      }
      if (record.appendedAt < newest) {
        const detail = `${newest - record.appendedAt} ms before the record ahead of it`;
        this.findings?.add('time_went_back', null, placeOf(record), detail);
      }
      expected = record.offset + 1n;
      newest = record.appendedAt;
    }
    this.expected.set(partition, expected);
    this.newest.set(partition, newest);
  }

  end(topic: string): void {
    for (const [partition, { low, high }] of this.bounds) {
      const expected = this.expected.get(partition) ?? low;
      if (expected >= high) continue;
      const place = placeOf({ topic, partition, offset: expected });
      this.findings?.add('gap', null, place, `the log ends here instead of at ${high}`);
    }
  }
}

/**
 * What was removed was appended before the oldest record that is kept. Where none is kept,
 * retention can have removed nothing that is younger than it lets records become.
 */
function horizonOf(
  topic: CapturedTopic,
  bounds: ReadonlyMap<number, Bounds>,
  order: OrderCheck,
): number {
  const { clock_skew_ms_max } = verification_limits;
  let horizon = -Infinity;
  for (const [partition, { low }] of bounds) {
    if (low === 0n) continue;
    const oldest = order.oldest.get(partition) ?? topic.at - topic.retentionMs;
    horizon = Math.max(horizon, oldest + clock_skew_ms_max);
  }
  return horizon;
}
