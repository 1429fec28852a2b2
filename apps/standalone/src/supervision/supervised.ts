import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '#runtime/logger.js';
import { limits } from '../limits.js';

/** A child process that serves. */
export interface RunningChild {
  readonly pid: number;
  /** Settles with a sentence when the process has ended. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface Supervision {
  readonly logger: Logger;
  /** Remembers a started process, so that the next start finds it if this one is killed. */
  readonly remember: (name: string, pid: number) => Promise<void>;
  /** A child that keeps ending; there is no use in going on. */
  readonly giveUp: (name: string) => void;
}

/** Keeps one child running: when it ends it is started again, after a pause that grows. */
export class Supervised<Child extends RunningChild> {
  private child: Child | null = null;
  private readonly stopping = new AbortController();
  private beginning: Promise<unknown> = Promise.resolve();
  private watching: Promise<void> = Promise.resolve();

  constructor(
    private readonly name: string,
    private readonly begin: () => Promise<Child>,
    private readonly supervision: Supervision,
  ) {}

  /** The first start; what goes wrong here is thrown, because it would go wrong again. */
  async start(): Promise<Child> {
    const beginning = this.begin();
    this.beginning = beginning.catch(() => null);
    const child = await beginning;
    await this.adopt(child);
    this.watching = this.watch(child);
    return child;
  }

  /** Ends the child for good. */
  async stop(): Promise<void> {
    this.stopping.abort();
    // A child that is only just starting must not be left behind.
    await this.beginning;
    await this.child?.stop();
    await this.watching;
  }

  private async adopt(child: Child): Promise<void> {
    this.child = child;
    if (this.stopping.signal.aborted) await child.stop();
    else await this.supervision.remember(this.name, child.pid);
  }

  private async watch(first: Child): Promise<void> {
    const { logger, giveUp } = this.supervision;
    let child: Child | null = first;
    let restarts = 0;
    let startedAt = Date.now();
    while (!this.stopping.signal.aborted) {
      const how: string = child === null ? 'did not start' : await child.ended;
      if (this.stopping.signal.aborted) return;
      if (Date.now() - startedAt > limits.restart_forgiven_ms) restarts = 0;
      if (restarts >= limits.restarts_in_a_row_max) return giveUp(this.name);
      const wait_ms = Math.min(
        limits.restart_pause_ms * 2 ** restarts,
        limits.restart_pause_ms_max,
      );
      restarts += 1;
      logger.warn({ child: this.name, how, wait_ms }, 'a child ended and is started again');
      await pause(wait_ms, null, { signal: this.stopping.signal }).catch(() => null);
      if (this.stopping.signal.aborted) return;
      startedAt = Date.now();
      child = await this.beginAgain();
    }
  }

  private async beginAgain(): Promise<Child | null> {
    try {
      const child = await this.begin();
      await this.adopt(child);
      return child;
    } catch (error) {
      this.supervision.logger.error({ err: error, child: this.name }, 'a child did not start');
      return null;
    }
  }
}
