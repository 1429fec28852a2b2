const chunk_bytes = 256 * 1024;

/**
 * Keeps the texts of one request as bytes in a few large blocks. Thousands of them wait for the
 * stores at any time, and outside the heap the collector need not copy them.
 */
export class TextArena {
  private chunk = Buffer.alloc(0);
  private end = 0;

  /** The text in UTF-8. */
  write(text: string): Uint8Array {
    const bytes_max = 3 * text.length;
    if (bytes_max > chunk_bytes) return Buffer.from(text);
    if (this.end + bytes_max > this.chunk.length) {
      this.chunk = Buffer.allocUnsafeSlow(chunk_bytes);
      this.end = 0;
    }
    const start = this.end;
    this.end += this.chunk.write(text, start);
    return this.chunk.subarray(start, this.end);
  }
}
