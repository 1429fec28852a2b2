import type { LogRecordInput } from '../event-log.js';

/** A record as it stands in a frame: no topic, no offset, those belong to the row around it. */
export interface FrameRecord {
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The bytes are not a frame of this version: truncated, altered, or written by a newer one. */
export class CorruptFrameError extends Error {
  constructor(detail: string) {
    super(`A frame of the event log cannot be read: ${detail}.`);
    this.name = 'CorruptFrameError';
  }
}

const frame_version = 1;
/** Five bytes of seven bits hold every length up to 2^35 - 1. */
const varint_bytes_max = 5;

/**
 * One frame: version, record count, then per record its key, its headers and its value, each text
 * or value preceded by its length in bytes; lengths and counts are LEB128. Not compressed.
 */
export function encodeFrame(records: readonly LogRecordInput[]): Buffer {
  let bytes = 1 + varintBytes(records.length);
  for (const record of records) bytes += recordBytes(record);
  const writer = new FrameWriter(Buffer.allocUnsafe(bytes));
  writer.byte(frame_version);
  writer.varint(records.length);
  for (const { key, value, headers } of records) {
    writer.text(key);
    const entries = headers === undefined ? [] : Object.entries(headers);
    writer.varint(entries.length);
    for (const [name, text] of entries) {
      writer.text(name);
      writer.text(text);
    }
    writer.bytes(value);
  }
  return writer.buffer;
}

/** What a record occupies in an uncompressed frame, in bytes. */
export function recordBytes({ key, value, headers }: LogRecordInput): number {
  let bytes = textBytes(key) + varintBytes(value.byteLength) + value.byteLength;
  const entries = headers === undefined ? [] : Object.entries(headers);
  bytes += varintBytes(entries.length);
  for (const [name, text] of entries) bytes += textBytes(name) + textBytes(text);
  return bytes;
}

/**
 * The records of a frame; values are views of `frame`, not copies.
 * @throws CorruptFrameError when the bytes do not form exactly one frame.
 */
export function decodeFrame(frame: Buffer): FrameRecord[] {
  const reader = new FrameReader(frame);
  const version = reader.byte();
  if (version !== frame_version) throw new CorruptFrameError(`unknown version ${version}`);
  const count = reader.varint();
  const records: FrameRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const key = reader.text();
    const headers: Record<string, string> = {};
    const headerCount = reader.varint();
    for (let header = 0; header < headerCount; header += 1) {
      const name = reader.text();
      // `__proto__` is an ordinary header name here, so no plain assignment.
      Object.defineProperty(headers, name, {
        value: reader.text(),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    records.push({ key, headers, value: reader.bytes() });
  }
  reader.expectEnd();
  return records;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes += 1;
  return bytes;
}

function textBytes(text: string): number {
  const bytes = Buffer.byteLength(text, 'utf8');
  return varintBytes(bytes) + bytes;
}

class FrameWriter {
  private at = 0;

  constructor(readonly buffer: Buffer) {}

  byte(value: number): void {
    this.at = this.buffer.writeUInt8(value, this.at);
  }

  varint(value: number): void {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.byte((rest % 0x80) | 0x80);
    this.byte(rest);
  }

  text(value: string): void {
    this.varint(Buffer.byteLength(value, 'utf8'));
    this.at += this.buffer.write(value, this.at, 'utf8');
  }

  bytes(value: Uint8Array): void {
    this.varint(value.byteLength);
    this.buffer.set(value, this.at);
    this.at += value.byteLength;
  }
}

class FrameReader {
  private at = 0;

  constructor(private readonly buffer: Buffer) {}

  byte(): number {
    const value = this.buffer[this.at];
    if (value === undefined) throw new CorruptFrameError('it ends early');
    this.at += 1;
    return value;
  }

  varint(): number {
    let value = 0;
    for (let index = 0; index < varint_bytes_max; index += 1) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    throw new CorruptFrameError('a length is too large');
  }

  bytes(): Buffer {
    const length = this.varint();
    const end = this.at + length;
    if (end > this.buffer.length) throw new CorruptFrameError('it ends early');
    const value = this.buffer.subarray(this.at, end);
    this.at = end;
    return value;
  }

  text(): string {
    return this.bytes().toString('utf8');
  }

  expectEnd(): void {
    const surplus = this.buffer.length - this.at;
    if (surplus > 0) throw new CorruptFrameError(`${surplus} bytes follow its last record`);
  }
}
