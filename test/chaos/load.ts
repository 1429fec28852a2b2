import { setTimeout as pause } from 'node:timers/promises';
import type { History } from './history.js';
import type { PlannedRequest, RequestPlan } from './request-plan.js';
import { send, type TrackingAddress } from './tracking-client.js';

export interface LoadOptions {
  readonly to: TrackingAddress;
  readonly plan: RequestPlan;
  readonly history: History;
  readonly clients: number;
}

const pause_between_requests_ms = 5;
const pause_before_retry_ms = 150;
/** How long a request of unknown outcome is repeated after the load was told to stop. */
const answer_ms_max = 60_000;
const attempts_max = 1_000;

/** Clients that send one request after the other, each repeated until its answer is definite. */
export class Load {
  private readonly clients: Promise<void>[] = [];
  private giveUpAt = Infinity;

  constructor(private readonly options: LoadOptions) {}

  start(): void {
    for (let client = 0; client < this.options.clients; client += 1) {
      this.clients.push(this.runClient());
    }
  }

  /** Sends nothing new; resolves when what is under way has its answer, or the time is up. */
  async stop(): Promise<void> {
    this.giveUpAt = Math.min(this.giveUpAt, Date.now() + answer_ms_max);
    await Promise.all(this.clients);
  }

  private async runClient(): Promise<void> {
    while (this.giveUpAt === Infinity) {
      await this.deliver(this.options.plan.next());
      await pause(pause_between_requests_ms);
    }
  }

  /**
   * Repeats a request until its answer is definite. When its first outcome is unknown, the same
   * keys are sent with other contents as well, and first: what may be stored without having been
   * acknowledged then meets a rival.
   */
  private async deliver(request: PlannedRequest): Promise<void> {
    let pending = [request];
    for (let round = 0; round < attempts_max && Date.now() < this.giveUpAt; round += 1) {
      const unanswered: PlannedRequest[] = [];
      for (const each of pending) {
        if (!(await this.attempt(each))) unanswered.push(each);
      }
      if (unanswered.length === 0) return;
      pending = round === 0 ? [this.options.plan.rivalOf(request), request] : unanswered;
      await pause(pause_before_retry_ms);
    }
  }

  /** Whether the answer was definite. */
  private async attempt(request: PlannedRequest): Promise<boolean> {
    const { to, history } = this.options;
    const begun = performance.now();
    const outcome = await send(request, to);
    const ms = performance.now() - begun;
    history.record({ request: request.request, events: request.events, outcome, ms });
    return outcome.kind !== 'uncertain';
  }
}
