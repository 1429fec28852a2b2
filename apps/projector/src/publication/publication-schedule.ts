import { setTimeout as pause } from 'node:timers/promises';
import type { PublicationStore } from '#postgres/publication/publication-store.js';
import type { Logger } from '#runtime/logger.js';
import { projector_limits } from '../limits.js';
import type { Publisher } from './publisher.js';

/** Publishes on request at once, and by interval; a failure is logged and tried again later. */
export class PublicationSchedule {
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly publications: PublicationStore,
    private readonly publisher: Publisher,
    private readonly intervalMs: number,
    private readonly logger: Logger,
  ) {}

  start(): void {
    this.running = this.run();
  }

  /** Lets an epoch that is being published come to its end. */
  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { request_poll_ms, retry_ms, retry_ms_max } = projector_limits;
    let failures = 0;
    let checkAt = 0;
    while (!this.stopping.signal.aborted) {
      try {
        checkAt = await this.turn(checkAt);
        failures = 0;
        await this.rest(request_poll_ms);
      } catch (error) {
        const waitMs = Math.min(retry_ms * 2 ** failures, retry_ms_max);
        this.logger.error({ err: error, waitMs }, 'publishing an epoch failed');
        failures += 1;
        await this.rest(waitMs);
      }
    }
  }

  /** Publishes if it is time to; answers when the interval has to be looked at again. */
  private async turn(checkAt: number): Promise<number> {
    const intervalIsOver = this.intervalMs > 0 && Date.now() >= checkAt;
    if (!intervalIsOver && !(await this.publications.hasOpenRequests())) return checkAt;
    const startedAt = Date.now();
    const outcome = await this.publisher.publish();
    if (outcome.kind === 'published') {
      const { epoch, days } = outcome;
      this.logger.info({ epoch, days, ms: Date.now() - startedAt }, 'published an epoch');
    }
    return startedAt + Math.min(this.intervalMs, projector_limits.due_check_ms_max);
  }

  private async rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.stopping.signal }).catch(() => undefined);
  }
}
