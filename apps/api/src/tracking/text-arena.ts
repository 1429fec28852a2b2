const chunk_bytes = 256 * 1024;
/** Chunks that are kept for later requests; what a few batches in flight need. */
const spare_chunks_max = 32;

/**
 * Keeps the texts of one request as bytes in a few large blocks. Thousands of them wait for the
 * stores at any time, and outside the heap the collector need not copy them. Blocks are used again:
 * memory outside the heap that waits to be found dead makes the collector look at all of the heap.
 */
export class TextArena {
  private static readonly spare: Buffer[] = [];
  private readonly chunks: Buffer[] = [];
  private end = 0;

  /** The text in UTF-8. */
  write(text: string): Uint8Array {
    const bytes_max = 3 * text.length;
    if (bytes_max > chunk_bytes) return Buffer.from(text);
    if (this.chunks.length === 0 || this.end + bytes_max > chunk_bytes) {
      this.chunks.push(TextArena.spare.pop() ?? Buffer.allocUnsafeSlow(chunk_bytes));
      this.end = 0;
    }
    const chunk = this.chunks.at(-1)!;
    const start = this.end;
    this.end += chunk.write(text, start);
    return chunk.subarray(start, this.end);
  }

  /** Gives the blocks back: nobody reads what was written any more. */
  release(): void {
    const room = spare_chunks_max - TextArena.spare.length;
    TextArena.spare.push(...this.chunks.splice(0).slice(0, room));
  }
}
