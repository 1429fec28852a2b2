/** Where finished blocks go: lines of standard output, or of a file. */
interface BlockDestination {
  write(block: string): unknown;
  /** Writes what it still holds before it returns. */
  flushSync(): void;
}

/** A block is written when it has so many characters, or when its first line is this old. */
const block_characters = 64 * 1024;
const flush_ms = 250;

/**
 * Gathers log lines into blocks: a system call for every line would cost more than the line. Who
 * ends the process flushes before; kill -9 loses a quarter of a second.
 */
export class LineBlocks {
  private block = '';
  private timer: NodeJS.Timeout | null = null;

  constructor(private readonly destination: BlockDestination) {}

  write(line: string): void {
    this.block += line;
    if (this.block.length >= block_characters) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), flush_ms).unref();
  }

  /** Hands everything over and waits until it is written: at the end, and after a fatal line. */
  flushSync(): void {
    this.flush();
    this.destination.flushSync();
  }

  private flush(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    if (this.block === '') return;
    const { block } = this;
    this.block = '';
    this.destination.write(block);
  }
}
