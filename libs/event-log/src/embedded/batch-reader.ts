import {
  OffsetOutOfRangeError,
  type LogBatch,
  type LogRecord,
  type PartitionRange,
  type ReadOptions,
} from '../event-log.js';
import { CorruptFrameError } from './frame-codec.js';
import type { FrameFetch, StoredFrame } from './frame-fetch.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';
import { offsetsOf } from '../driver/log-positions.js';
import { toPortErrors } from './port-errors.js';
import { fromStoredFrame } from './stored-frame.js';
import type { KnownTopic, TopicRegistry } from './topic-registry.js';

/** Records that follow each other from the offset asked for; empty at the end of the partition. */
export interface FetchedRecords {
  readonly records: readonly LogRecord[];
  readonly high: bigint;
}

/** Reads frames of the log and turns them into records. */
export class BatchReader {
  constructor(
    private readonly frames: FrameFetch,
    private readonly topics: TopicRegistry,
    private readonly limits: EmbeddedLogLimits,
  ) {}

  /**
   * The records from `from` on, about `recordsMax` of them (whole frames, at least one).
   * @throws OffsetOutOfRangeError when `from` was removed or was never written.
   * @throws CorruptFrameError when a frame is damaged or missing.
   */
  async fetch(
    topic: KnownTopic,
    partition: number,
    from: bigint,
    recordsMax: number,
  ): Promise<FetchedRecords> {
    const fetched = await this.frames.fetch({ topicId: topic.id, partition, from, recordsMax });
    if (fetched === null) {
      throw new RangeError(`Topic "${topic.name}" has no partition ${partition}.`);
    }
    const { low, high, frames } = fetched;
    if (from < low || from > high) {
      throw new OffsetOutOfRangeError(topic.name, partition, from, { low, high });
    }
    expectGapless(frames, from, high);
    const records = frames.flatMap((frame) => toRecords(frame, topic.name, partition));
    // The first frame may begin before the offset asked for.
    const ahead = frames.length === 0 ? 0 : Number(from - frames[0]!.base);
    return { records: ahead > 0 ? records.slice(ahead) : records, high };
  }

  /** See `EventLog.read`; the bounds are those of the moment of this call. */
  read(topicName: string, options: ReadOptions = {}): AsyncIterable<LogBatch> {
    const bounds = toPortErrors(() => this.bounds(topicName, options));
    // Whoever iterates sees the failure; without an iteration nobody waits for it.
    bounds.catch(() => undefined);
    return this.readWithin(bounds, options.batchRecordsMax ?? this.limits.batchRecordsMax);
  }

  private async *readWithin(
    bounds: Promise<ReadBounds>,
    recordsMax: number,
  ): AsyncGenerator<LogBatch> {
    const { topic, ranges } = await bounds;
    for (const { partition, low: from, high: to } of ranges) {
      let position = from;
      while (position < to) {
        const { records, high } = await toPortErrors(() =>
          this.fetch(topic, partition, position, recordsMax),
        );
        for (let at = 0; at < records.length && position < to; at += recordsMax) {
          const slice = records.slice(at, at + recordsMax).filter(({ offset }) => offset < to);
          yield { topic: topic.name, partition, records: slice, highWatermark: high };
          position = slice.at(-1)!.offset + 1n;
        }
      }
    }
  }

  private async bounds(topicName: string, options: ReadOptions): Promise<ReadBounds> {
    const ranges = await this.topics.ranges(topicName);
    const { from = { at: 'beginning' }, to = { at: 'end' }, partitions } = options;
    const start = await offsetsOf(this.topics, topicName, from, ranges);
    const end = await offsetsOf(this.topics, topicName, to, ranges);
    return {
      topic: await this.topics.get(topicName),
      ranges: ranges
        .filter(({ partition }) => partitions === undefined || partitions.includes(partition))
        .map(({ partition, low, high }) => ({
          partition,
          low: start.get(partition) ?? low,
          high: minimum(end.get(partition) ?? high, high),
        })),
    };
  }
}

interface ReadBounds {
  readonly topic: KnownTopic;
  readonly ranges: readonly PartitionRange[];
}

function minimum(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function toRecords(frame: StoredFrame, topic: string, partition: number): LogRecord[] {
  const { base, last, appendedAt, payload } = frame;
  const records = fromStoredFrame(payload);
  if (BigInt(records.length) !== last - base + 1n) {
    throw new CorruptFrameError(`${topic}/${partition} at ${base} holds ${records.length} records`);
  }
  return records.map(({ key, value, headers }, index) => ({
    topic,
    partition,
    offset: base + BigInt(index),
    appendedAt,
    key,
    value,
    headers,
  }));
}

/** A missing row must stop the reader: going on would silently skip acknowledged records. */
function expectGapless(frames: readonly StoredFrame[], from: bigint, high: bigint): void {
  // Only the first frame may begin before what is expected of it.
  let expected = frames[0] !== undefined && frames[0].base <= from ? frames[0].base : from;
  for (const { base, last } of frames) {
    if (base !== expected) throw missing(expected);
    expected = last + 1n;
  }
  if (frames.length === 0 && from < high) throw missing(from);
}

function missing(offset: bigint): CorruptFrameError {
  return new CorruptFrameError(`offset ${offset} is missing`);
}
