import { OffsetOutOfRangeError, type LogRecord, type LogRecordInput } from '../event-log.js';
import type { FetchedPartition, WireMessage } from './wire.js';

/** What a record costs beside its contents: lengths, deltas, and its share of a batch's head. */
const record_overhead_bytes = 100;
const header_overhead_bytes = 10;

export function toMessage({ key, value, headers }: LogRecordInput): WireMessage {
  const bytes =
    typeof value === 'string'
      ? Buffer.from(value, 'utf8')
      : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return { key: Buffer.from(key, 'utf8'), value: bytes, headers: headers ?? {} };
}

/** The most that a message occupies in a request before compression, in bytes. */
export function messageBytes({ key, value, headers }: WireMessage): number {
  let bytes = record_overhead_bytes + key.length + value.length;
  for (const name in headers) {
    bytes += header_overhead_bytes + Buffer.byteLength(name) + Buffer.byteLength(headers[name]!);
  }
  return bytes;
}

/** Records of one partition that follow each other, and the first offset after them. */
export interface FetchedRecords {
  readonly records: readonly LogRecord[];
  readonly next: bigint;
  readonly high: bigint;
}

/**
 * The records from `from` on. A stored batch may begin before the offset that was asked for, and
 * the marks of other programs' transactions take offsets without being records.
 * @throws OffsetOutOfRangeError for a hole: going on would silently skip acknowledged records.
 */
export function toFetchedRecords(
  topic: string,
  fetched: FetchedPartition,
  from: bigint,
): FetchedRecords {
  const { partition, highWatermark, messages } = fetched;
  const records: LogRecord[] = [];
  let next = from;
  for (const message of messages) {
    const offset = BigInt(message.offset);
    if (offset < from) continue;
    if (offset > next) {
      throw new OffsetOutOfRangeError(topic, partition, next, { low: offset, high: offset });
    }
    next = offset + 1n;
    if (message.isControlRecord === true) continue;
    records.push({
      topic,
      partition,
      offset,
      appendedAt: Number(message.timestamp),
      key: message.key?.toString('utf8') ?? '',
      value: message.value ?? Buffer.alloc(0),
      headers: toTexts(message.headers ?? {}),
    });
  }
  return { records, next, high: BigInt(highWatermark) };
}

type WireHeaders = Readonly<Record<string, Buffer | string | (Buffer | string)[] | undefined>>;

function toTexts(headers: WireHeaders): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name in headers) {
    const value = headers[name];
    // A name that another program gave twice: the last one counts.
    const last = Array.isArray(value) ? value.at(-1) : value;
    texts[name] = last?.toString('utf8') ?? '';
  }
  return texts;
}
