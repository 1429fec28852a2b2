import { OffsetOutOfRangeError, type LogRecord, type TopicPartition } from '../../event-log.js';
import { ByteReader } from './byte-reader.js';
import { recordBytesOf, storedBatches, type StoredBatch } from './stored-batch.js';

const attribute_bytes = 1;

/** Records of one partition that follow each other, and the first offset after them. */
export interface FetchedRecords {
  readonly records: readonly LogRecord[];
  readonly next: bigint;
}

/**
 * Reads the records of one partition in the second format of Kafka
 * (https://kafka.apache.org/documentation/#record); values are views of what was fetched.
 */
export class RecordReader {
  /** Names and texts of the headers of the record before. */
  private readonly names: string[] = [];
  private readonly texts: string[] = [];

  constructor(private readonly place: TopicPartition) {}

  /**
   * What `set` holds from `from` on. A stored batch may begin before, and the marks of other
   * programs' transactions take offsets without being records.
   * @throws OffsetOutOfRangeError for a hole: going on would silently skip acknowledged records.
   * @throws RangeError when it is in a form that this program does not read.
   */
  read(set: Buffer, from: bigint): FetchedRecords {
    const records: LogRecord[] = [];
    let next = from;
    for (const batch of storedBatches(set)) {
      if (batch.lastOffset < from) continue;
      next = this.readBatch(batch, recordBytesOf(batch), next, records);
    }
    return { records, next };
  }

  /** Answers the first offset after the batch. */
  private readBatch(batch: StoredBatch, bytes: Buffer, from: bigint, to: LogRecord[]): bigint {
    const reader = new ByteReader(bytes);
    let next = from;
    for (let index = 0; index < batch.count; index += 1) {
      const record = this.readRecord(batch, reader);
      const { offset } = record;
      if (offset < next) continue;
      if (offset > next) throw this.hole(next, offset);
      next += 1n;
      if (!batch.control) to.push(record);
    }
    return next;
  }

  private hole(offset: bigint, low: bigint): OffsetOutOfRangeError {
    const { topic, partition } = this.place;
    return new OffsetOutOfRangeError(topic, partition, offset, { low, high: low });
  }

  private readRecord(batch: StoredBatch, reader: ByteReader): LogRecord {
    const { topic, partition } = this.place;
    reader.varint();
    reader.skip(attribute_bytes);
    const createdAt = batch.baseTime + reader.varint();
    const offset = batch.baseOffset + BigInt(reader.varint());
    const appendedAt = batch.appendedAt ?? createdAt;
    const key = reader.text();
    const value = reader.bytes();
    return { topic, partition, offset, appendedAt, key, value, headers: this.readHeaders(reader) };
  }

  /** Of a name that another program gave twice the last text counts. */
  private readHeaders(reader: ByteReader): Record<string, string> {
    const headers: Record<string, string> = {};
    const count = reader.varint();
    for (let index = 0; index < count; index += 1) {
      const name = (this.names[index] = reader.text(this.names[index]));
      const text = (this.texts[index] = reader.text(this.texts[index]));
      if (name === '__proto__') defineOwn(headers, name, text);
      else headers[name] = text;
    }
    return headers;
  }
}

function defineOwn(headers: object, name: string, value: string): void {
  Object.defineProperty(headers, name, {
    value,
    enumerable: true,
    writable: true,
    configurable: true,
  });
}
