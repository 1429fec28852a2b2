import { CorruptFrameError, type FrameRecord } from './frame-codec.js';

const frame_version = 1;
/** Five bytes of seven bits hold every length up to 2^35 - 1. */
const varint_bytes_max = 5;

/**
 * Reads a frame of the first version, which logs still hold and nobody writes: version, record
 * count, then per record its key, its headers and its value, each text or value preceded by its
 * length in bytes; lengths and counts are LEB128.
 * @throws CorruptFrameError when the bytes do not form exactly one frame.
 */
export function decodeFirstFrame(frame: Buffer): FrameRecord[] {
  const reader = new FrameReader(frame);
  const version = reader.byte();
  if (version !== frame_version) throw new CorruptFrameError(`unknown version ${version}`);
  const count = reader.varint();
  const records: FrameRecord[] = [];
  for (let index = 0; index < count; index += 1) {
    const key = reader.text();
    const headers: [string, string][] = [];
    const headerCount = reader.varint();
    for (let header = 0; header < headerCount; header += 1) {
      headers.push([reader.text(), reader.text()]);
    }
    records.push({ key, headers: Object.fromEntries(headers), value: reader.bytes() });
  }
  reader.expectEnd();
  return records;
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
