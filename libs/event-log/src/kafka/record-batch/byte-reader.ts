/** Reads the parts of Kafka's records from a buffer, one after the other. */
export class ByteReader {
  constructor(
    private readonly buffer: Buffer,
    private at = 0,
  ) {}

  skip(bytes: number): void {
    this.at += bytes;
  }

  /** A number in zigzag, seven bits a byte; exact up to 2^53, which times never exceed. */
  varint(): number {
    let byte = this.byte();
    if (byte < 0x80) return (byte >>> 1) ^ -(byte & 1);
    let value = byte & 0x7f;
    for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
      byte = this.byte();
      value += (byte & 0x7f) * scale;
    }
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A view of bytes with their length before them; -1 stands for none. */
  bytes(): Buffer {
    const start = this.behind(this.varint());
    return this.buffer.subarray(start, this.at);
  }

  /** A text, taken from `known` when it is the same: most headers repeat from record to record. */
  text(known?: string): string {
    const length = this.varint();
    const start = this.behind(length);
    if (known !== undefined && known.length === length && this.reads(known, start)) return known;
    return this.buffer.toString('utf8', start, this.at);
  }

  private byte(): number {
    const byte = this.buffer[this.at++];
    if (byte === undefined) throw endsEarly();
    return byte;
  }

  /** Moves behind a part of this length and answers where it starts. */
  private behind(length: number): number {
    const start = this.at;
    if (length > 0) this.at += length;
    if (this.at > this.buffer.length) throw endsEarly();
    return start;
  }

  /** Whether these units stand here, one byte each: never true of what is not ASCII. */
  private reads(text: string, start: number): boolean {
    for (let index = 0; index < text.length; index += 1) {
      const byte = this.buffer[start + index]!;
      if (byte !== text.charCodeAt(index) || byte > 0x7f) return false;
    }
    return true;
  }
}

function endsEarly(): RangeError {
  return new RangeError('a batch of records ends early');
}
