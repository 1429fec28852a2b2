import type { Logger } from './logger.js';

/** An orderly stop takes at most this long; then the process ends as it is. */
const stop_ms_max = 8000;

interface Stopper {
  readonly name: string;
  readonly stop: () => Promise<unknown>;
}

/**
 * What was started, so that it can be stopped in reverse order, once, in one place.
 * A stop step that fails is logged and does not keep the others from running.
 */
export class Shutdown {
  private readonly stoppers: Stopper[] = [];
  private stopping: Promise<void> | null = null;

  constructor(private readonly logger: Logger) {}

  add(name: string, stop: () => Promise<unknown>): void {
    this.stoppers.push({ name, stop });
  }

  /** Stops everything; a second call waits for the first. */
  stop(): Promise<void> {
    this.stopping ??= this.stopAll();
    return this.stopping;
  }

  /** Stops on SIGINT and SIGTERM and then ends the process with code 0. */
  onSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        this.logger.info({ signal }, 'stopping');
        void this.stopAndExit(0);
      });
    }
  }

  /** Stops and ends the process; a step that hangs does not keep it alive for long. */
  async stopAndExit(code: number): Promise<void> {
    setTimeout(() => process.exit(code), stop_ms_max).unref();
    await this.stop();
    process.exit(code);
  }

  private async stopAll(): Promise<void> {
    for (const { name, stop } of this.stoppers.reverse()) {
      try {
        await stop();
      } catch (error) {
        this.logger.error({ err: error, step: name }, 'a stop step failed');
      }
    }
  }
}
