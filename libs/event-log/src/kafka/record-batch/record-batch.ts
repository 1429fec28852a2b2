import type { LogRecordInput } from '../../event-log.js';
import { ByteWriter, sizeOfVarint } from './byte-writer.js';

/** Attributes, and the difference to the time of the batch: both are nothing. */
const fixed_part = Buffer.alloc(2);

/**
 * Writes what a record is wherever it lies in its batch: key, value and headers in the second
 * format of Kafka's records (https://kafka.apache.org/documentation/#record).
 */
export function writeRecord(to: ByteWriter, { key, value, headers = {} }: LogRecordInput): void {
  to.text(key);
  if (typeof value === 'string') to.text(value);
  else {
    to.varint(value.length);
    to.raw(value);
  }
  const names = Object.keys(headers);
  to.varint(names.length);
  for (const name of names) {
    to.text(name);
    to.text(headers[name]!);
  }
}

/** Records of one partition that are sent and stored together. */
export class RecordBatch {
  private readonly writer: ByteWriter;
  private records = 0;

  /** @param bytesExpected of all its records. */
  constructor(bytesExpected?: number) {
    this.writer = new ByteWriter(bytesExpected);
  }

  get count(): number {
    return this.records;
  }

  /** The records one behind the other, without the head of the batch, not compressed. */
  get bytes(): Buffer {
    return this.writer.bytes;
  }

  /** @param written by `writeRecord`. */
  add(written: ByteWriter): void {
    const { writer, records } = this;
    writer.varint(fixed_part.length + sizeOfVarint(records) + written.length);
    writer.raw(fixed_part);
    writer.varint(records);
    writer.append(written);
    this.records += 1;
  }
}
