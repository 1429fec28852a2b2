/** Writes JSON piece by piece into one growing buffer: texts, and bytes that were made before. */
export class JsonWriter {
  private bytes: Buffer<ArrayBuffer>;
  private end = 0;

  /** `expected`: bytes that will do in most cases. */
  constructor(expected: number) {
    this.bytes = Buffer.allocUnsafeSlow(expected);
  }

  text(piece: string): void {
    this.reserve(3 * piece.length);
    this.end += this.bytes.write(piece, this.end);
  }

  copy(piece: Buffer): void {
    this.reserve(piece.length);
    this.bytes.set(piece, this.end);
    this.end += piece.length;
  }

  /** Everything that was written; the writer is not to be used any more. */
  written(): Buffer<ArrayBuffer> {
    return this.bytes.subarray(0, this.end);
  }

  private reserve(more: number): void {
    const needed = this.end + more;
    if (needed <= this.bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.bytes.length));
    this.bytes.copy(larger, 0, 0, this.end);
    this.bytes = larger;
  }
}
