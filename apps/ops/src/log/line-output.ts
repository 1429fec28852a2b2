import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Lines on a stream, as fast as who reads them takes them. */
export class LineOutput {
  private closed = false;

  constructor(private readonly stream: Writable) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // `ops log tail … | head` is no failure.
      if (error.code !== 'EPIPE') throw error;
      this.closed = true;
    });
  }

  /** Whether nobody reads any more. */
  get ended(): boolean {
    return this.closed;
  }

  async write(lines: readonly string[]): Promise<void> {
    if (this.closed || lines.length === 0) return;
    if (this.stream.write(`${lines.join('\n')}\n`)) return;
    await Promise.race([once(this.stream, 'drain'), once(this.stream, 'close')]);
  }
}
