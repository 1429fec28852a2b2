import type { Pool } from 'pg';
import {
  OffsetOutOfRangeError,
  type LogBatch,
  type LogRecord,
  type PartitionRange,
  type ReadOptions,
} from '../event-log.js';
import { expandFrame } from './frame-compression.js';
import { CorruptFrameError, decodeFrame } from './frame-codec.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';
import { offsetsOf } from './log-positions.js';
import { toPortErrors } from './port-errors.js';
import type { KnownTopic, TopicRegistry } from './topic-registry.js';

/** Records that follow each other from the offset asked for; empty at the end of the partition. */
export interface FetchedRecords {
  readonly records: readonly LogRecord[];
  readonly high: bigint;
}

interface FrameRow {
  readonly low_offset: string;
  readonly next_offset: string;
  readonly base_offset: string | null;
  readonly last_offset: string;
  readonly appended_ms: string;
  readonly payload: Buffer;
}

/** More rows than this are never joined into one fetch, however small they are. */
const frames_per_fetch_max = 256;

// One statement, hence one snapshot: the range and the frames belong together.
const fetch_sql = `
select p.low_offset, p.next_offset, f.base_offset, f.last_offset, f.appended_ms, f.payload
from event_log.partition p left join lateral (
  select frame.*, sum(octet_length(payload)) over (order by base_offset)
    - octet_length(payload) as bytes_ahead
  from (
    select base_offset, last_offset, payload,
      floor(extract(epoch from appended_at) * 1000)::bigint as appended_ms
    from event_log.batch
    where topic_id = $1 and partition = $2 and last_offset >= $3 and base_offset < $3 + $4
      and base_offset >= coalesce((
        select base_offset from event_log.batch
        where topic_id = $1 and partition = $2 and base_offset <= $3
        order by base_offset desc limit 1), 0)
    order by base_offset limit ${frames_per_fetch_max}
  ) frame
) f on f.bytes_ahead < $5
where p.topic_id = $1 and p.partition = $2
order by f.base_offset`;

/** Reads frames of the log and turns them into records. */
export class BatchReader {
  constructor(
    private readonly pool: Pool,
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
    const { rows } = await this.pool.query<FrameRow>({
      name: 'event_log_fetch',
      text: fetch_sql,
      values: [topic.id, partition, from, recordsMax, this.limits.fetchBytesMax],
    });
    const range = rows[0];
    if (range === undefined) {
      throw new RangeError(`Topic "${topic.name}" has no partition ${partition}.`);
    }
    const low = BigInt(range.low_offset);
    const high = BigInt(range.next_offset);
    if (from < low || from > high) {
      throw new OffsetOutOfRangeError(topic.name, partition, from, { low, high });
    }
    const frames = rows.filter(({ base_offset }) => base_offset !== null);
    const records = frames.flatMap((row) => toRecords(row, topic.name, partition));
    const wanted = records.filter(({ offset }) => offset >= from);
    expectGapless(wanted, from, high);
    return { records: wanted, high };
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

function toRecords(row: FrameRow, topic: string, partition: number): LogRecord[] {
  const base = BigInt(row.base_offset!);
  const appendedAt = Number(row.appended_ms);
  const records = decodeFrame(expandFrame(row.payload));
  if (BigInt(records.length) !== BigInt(row.last_offset) - base + 1n) {
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
function expectGapless(records: readonly LogRecord[], from: bigint, high: bigint): void {
  let expected = from;
  for (const { offset } of records) {
    if (offset !== expected) throw new CorruptFrameError(`offset ${expected} is missing`);
    expected += 1n;
  }
  if (records.length === 0 && from < high) {
    throw new CorruptFrameError(`offset ${from} is missing`);
  }
}
