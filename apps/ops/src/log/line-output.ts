import type { Writable } from 'node:stream';
import { printable } from '../printable.js';

/** Lines on a stream, as fast as who reads them takes them. */
export class LineOutput {
  private failure: NodeJS.ErrnoException | null = null;
  private closed = false;

  constructor(private readonly stream: Writable) {
    stream.on('error', (error) => (this.failure ??= error));
    stream.on('close', () => (this.closed = true));
  }

  /** Whether nobody reads any more: `ops log tail … | head` is no failure. */
  get ended(): boolean {
    return this.failure === null ? this.closed : this.failure.code === 'EPIPE';
  }

  async write(lines: readonly string[]): Promise<void> {
    if (lines.length === 0 || this.ended) return;
    const taken = this.stream.write(`${lines.map(printable).join('\n')}\n`);
    if (!taken) await this.settled();
    if (this.failure !== null && !this.ended) throw this.failure;
  }

  /** Waits until the stream takes more, or never will. */
  private settled(): Promise<void> {
    return new Promise((resolve) => {
      const events = ['drain', 'close', 'error'] as const;
      const settle = (): void => {
        for (const event of events) this.stream.removeListener(event, settle);
        resolve();
      };
      for (const event of events) this.stream.on(event, settle);
    });
  }
}
