import type { Logger } from './logger.js';

/** An orderly stop takes at most this long; then the process ends as it is. */
const stop_ms_max = 8000;

const ignore = (): void => undefined;

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

  /**
   * Stops on SIGTERM and SIGINT and then ends the process with code 0. What is `supervised` leaves
   * Ctrl+C and the end of the terminal to its supervisor: their signals reach both, and the
   * supervisor stops what it started in turn.
   */
  onSignals({ supervised = false } = {}): void {
    const stop = (signal: NodeJS.Signals): void => {
      this.logger.info({ signal }, 'stopping');
      void this.stopAndExit(0);
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', supervised ? ignore : stop);
    if (supervised) process.on('SIGHUP', ignore);
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
