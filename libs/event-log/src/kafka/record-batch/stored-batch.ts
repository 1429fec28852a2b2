import { gunzipSync, gzipSync } from 'node:zlib';
import crc32c from 'kafkajs/src/protocol/recordBatch/crc32C/index.js';
import type { RecordBatch } from './record-batch.js';

// Level 1 compresses events nearly as well as the default and costs a third of the time. Both run
// where they are called: a batch takes part of a millisecond, a detour over another thread as much.
const gzip_options = { level: 1, chunkSize: 32 * 1024 };
/** The last bytes of gzip say how long the content is. */
const gzip_length_bytes = 4;
const chunk_bytes_min = 64;
const chunk_bytes_max = 4 * 1024 * 1024;

const format_version = 2;
const codec_numbers = { none: 0, gzip: 1 } as const;
const codec_mask = 0b111;
/** Codecs that Kafka knows, by their numbers. */
const codec_names = ['none', 'gzip', 'snappy', 'lz4', 'zstd'];

/** Where the fields of the head of a batch begin. */
const at = {
  baseOffset: 0,
  length: 8,
  leaderEpoch: 12,
  format: 16,
  checksum: 17,
  attributes: 21,
  lastOffsetDelta: 23,
  baseTime: 27,
  maxTime: 35,
  producerId: 43,
  producerEpoch: 51,
  sequence: 53,
  count: 57,
  records: 61,
} as const;

export type Compression = keyof typeof codec_numbers;

/** A batch that is complete but for what its producer says of itself. */
export interface SealedBatch {
  readonly count: number;
  readonly compression: Compression;
  readonly records: Buffer;
}

/** Who sends a batch, and which number its first record has among all that it sent. */
export interface BatchOrigin {
  readonly producerId: bigint;
  readonly producerEpoch: number;
  readonly sequence: number;
}

export function sealBatch(batch: RecordBatch, compression: Compression): SealedBatch {
  const { count, bytes } = batch;
  if (compression === 'none') return { count, compression, records: bytes };
  const records = gzipSync(bytes, gzip_options);
  // What cannot be shrunk would become longer than was reckoned with.
  if (records.length >= bytes.length) return { count, compression: 'none', records: bytes };
  return { count, compression, records };
}

export function storedLength({ records }: SealedBatch): number {
  return at.records + records.length;
}

/**
 * Writes a batch in the second format (https://kafka.apache.org/documentation/#recordbatch) to the
 * beginning of `to`, which has `storedLength` bytes.
 */
export function writeBatch(to: Buffer, batch: SealedBatch, origin: BatchOrigin): void {
  const now = BigInt(Date.now());
  to.writeBigInt64BE(0n, at.baseOffset);
  to.writeInt32BE(to.length - at.leaderEpoch, at.length);
  to.writeInt32BE(-1, at.leaderEpoch);
  to.writeInt8(format_version, at.format);
  to.writeInt16BE(codec_numbers[batch.compression], at.attributes);
  to.writeInt32BE(batch.count - 1, at.lastOffsetDelta);
  to.writeBigInt64BE(now, at.baseTime);
  to.writeBigInt64BE(now, at.maxTime);
  to.writeBigInt64BE(origin.producerId, at.producerId);
  to.writeInt16BE(origin.producerEpoch, at.producerEpoch);
  to.writeInt32BE(origin.sequence, at.sequence);
  to.writeInt32BE(batch.count, at.count);
  to.set(batch.records, at.records);
  to.writeUInt32BE(crc32c(to.subarray(at.attributes)), at.checksum);
}

/** A batch as a broker stored it. */
export interface StoredBatch {
  readonly baseOffset: bigint;
  readonly lastOffset: bigint;
  readonly baseTime: number;
  /** When the broker appended the batch; null when the times of its producer count. */
  readonly appendedAt: number | null;
  /** Marks of transactions: they take offsets without being records. */
  readonly control: boolean;
  readonly count: number;
  readonly codec: number;
  readonly records: Buffer;
}

const log_append_time = 0b1000;
const control_batch = 0b10_0000;

/** The batches of a fetched record set; the last may be cut off, and is left out then. */
export function* storedBatches(set: Buffer): Generator<StoredBatch> {
  let start = 0;
  while (start + at.records <= set.length) {
    const end = start + at.leaderEpoch + set.readInt32BE(start + at.length);
    if (end > set.length) return;
    yield readBatch(set.subarray(start, end));
    start = end;
  }
}

function readBatch(bytes: Buffer): StoredBatch {
  const format = bytes.readInt8(at.format);
  if (format !== format_version) {
    throw new RangeError(`records in format ${format} of Kafka cannot be read, only in format 2`);
  }
  const attributes = bytes.readInt16BE(at.attributes);
  const baseOffset = bytes.readBigInt64BE(at.baseOffset);
  const byBroker = (attributes & log_append_time) !== 0;
  return {
    baseOffset,
    lastOffset: baseOffset + BigInt(bytes.readInt32BE(at.lastOffsetDelta)),
    baseTime: Number(bytes.readBigInt64BE(at.baseTime)),
    appendedAt: byBroker ? Number(bytes.readBigInt64BE(at.maxTime)) : null,
    control: (attributes & control_batch) !== 0,
    count: bytes.readInt32BE(at.count),
    codec: attributes & codec_mask,
    records: bytes.subarray(at.records),
  };
}

/** The records of a batch, not compressed. */
export function recordBytesOf({ codec, records }: StoredBatch): Buffer {
  if (codec === codec_numbers.none) return records;
  if (codec === codec_numbers.gzip) return gunzipSync(records, { chunkSize: chunkSizeOf(records) });
  const name = codec_names[codec] ?? `codec ${codec}`;
  throw new RangeError(
    `records compressed with ${name} cannot be read; set compression.type=producer on the topic`,
  );
}

/**
 * Room for all of the content at once: what is read of it is a view, and keeps the whole chunk. The
 * length is a hint, and content that is longer takes further chunks.
 */
function chunkSizeOf(compressed: Buffer): number {
  if (compressed.length < gzip_length_bytes) return chunk_bytes_min;
  const said = compressed.readUInt32LE(compressed.length - gzip_length_bytes) + 1;
  return Math.min(Math.max(said, chunk_bytes_min), chunk_bytes_max);
}
