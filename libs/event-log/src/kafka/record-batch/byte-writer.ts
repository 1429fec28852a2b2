const initial_bytes = 4_096;
/** Up to here, room for the longest UTF-8 (three bytes a unit) is cheaper than counting. */
const short_text_units = 1_024;
const utf8_bytes_max = 3;
const varint_bytes_max = 5;
/** Largest number that one byte holds: of its seven bits one is the sign. */
const one_byte_max = 63;

/** Bytes of a number below 2^30 as `varint` writes it. */
export function sizeOfVarint(value: number): number {
  let bytes = 1;
  for (let rest = value >>> 6; rest > 0; rest >>>= 7) bytes += 1;
  return bytes;
}

/** Writes the parts of Kafka's records one after the other into a buffer that grows. */
export class ByteWriter {
  private buffer: Buffer;
  private end = 0;

  /** @param bytes that it will probably hold. */
  constructor(bytes = initial_bytes) {
    this.buffer = Buffer.allocUnsafe(bytes);
  }

  get length(): number {
    return this.end;
  }

  /** A view of what is written; the next `clear` gives it away. */
  get bytes(): Buffer {
    return this.buffer.subarray(0, this.end);
  }

  clear(): void {
    this.end = 0;
  }

  /** A number below 2^30 in zigzag, seven bits a byte. */
  varint(value: number): void {
    this.reserve(varint_bytes_max);
    let rest = value << 1;
    while (rest > 0x7f) {
      this.buffer[this.end++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.buffer[this.end++] = rest;
  }

  /** The bytes as they are. */
  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.buffer.set(bytes, this.end);
    this.end += bytes.length;
  }

  /** What another one has written. */
  append(other: ByteWriter): void {
    this.reserve(other.end);
    other.buffer.copy(this.buffer, this.end, 0, other.end);
    this.end += other.end;
  }

  /** A text with its length before it. */
  text(text: string): void {
    if (text.length > one_byte_max || !this.ascii(text)) this.utf8(text);
  }

  /** Most texts are short and of one byte a unit, and quicker written here than by the engine. */
  private ascii(text: string): boolean {
    const { length } = text;
    this.reserve(1 + length);
    const { buffer, end } = this;
    buffer[end] = length << 1;
    for (let index = 0; index < length; index += 1) {
      const unit = text.charCodeAt(index);
      if (unit > 0x7f) return false;
      buffer[end + 1 + index] = unit;
    }
    this.end = end + 1 + length;
    return true;
  }

  /** The length is known only behind the text. */
  private utf8(text: string): void {
    const short = text.length <= short_text_units;
    const bytesMax = short ? text.length * utf8_bytes_max : Buffer.byteLength(text);
    this.reserve(varint_bytes_max + bytesMax);
    const start = this.end + 1;
    const length = this.buffer.write(text, start, 'utf8');
    if (length > one_byte_max) {
      const moved = this.end + sizeOfVarint(length);
      this.buffer.copyWithin(moved, start, start + length);
    }
    this.varint(length);
    this.end += length;
  }

  private reserve(bytes: number): void {
    const needed = this.end + bytes;
    if (needed <= this.buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.buffer.length * 2));
    this.buffer.copy(larger, 0, 0, this.end);
    this.buffer = larger;
  }
}
