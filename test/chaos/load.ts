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

const pause_between_requests_ms = 20;
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

  private async deliver(request: PlannedRequest): Promise<void> {
    const { to, history } = this.options;
    for (let attempt = 0; attempt < attempts_max && Date.now() < this.giveUpAt; attempt += 1) {
      const outcome = await send(request, to);
      history.record({ request: request.request, events: request.events, outcome });
      if (outcome.kind !== 'uncertain') return;
      await pause(pause_before_retry_ms);
    }
  }
}
