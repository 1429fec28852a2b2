import { setTimeout as pause } from 'node:timers/promises';
import { eventIdOf } from '#domain/usage/event-id.js';
import {
  checkAnswers,
  checkHistory,
  type HistoryVerdict,
  type Violation,
} from './check-history.js';
import { slowestOf } from './history-counts.js';
import type { Attempt } from './attempt.js';
import { History } from './history.js';
import { Installation, type LogName } from './installation.js';
import { Load } from './load.js';
import { organizationOf, readStoredState } from './read-stored-state.js';
import { RequestPlan } from './request-plan.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { TrackingAddress } from './tracking-client.js';
import { kill, recover, type Killed, type Victim } from './victims.js';

const clients = 8;
const keys_max = 10_000_000;
/** How long the load runs before the kill, and after the recovery, in milliseconds. */
const before_kill_ms = { from: 300, to: 1_500 };
const after_recovery_ms = { from: 300, to: 1_000 };
/** Between two kills of one round: the second often meets a recovery that is under way. */
const between_kills_ms = { from: 0, to: 600 };
/** How long a killed broker stays away. */
const broker_away_ms = { from: 500, to: 3_000 };

/** What the clients saw in one round. */
export interface RoundReport {
  /** From the last kill until the service was ready again, in milliseconds. */
  readonly recoveryMs: number;
  readonly requests: number;
  /** Events of the round that were answered `tracked: true`. */
  readonly acknowledged: number;
  readonly requestsUnanswered: number;
  readonly slowestMs: number;
  /** Answers that contradict each other, came too late or tell nothing. */
  readonly violations: readonly Violation[];
}

/** An installation under load whose processes are killed, and the record of what it promised. */
export class ChaosRun {
  private readonly history = new History();
  private readonly plan: RequestPlan;

  private constructor(
    private readonly installation: Installation,
    private readonly random: SeededRandom,
    private readonly address: TrackingAddress,
    private readonly organizationId: string,
  ) {
    this.plan = new RequestPlan('chaos-', keys_max, new SeededRandom(random.below(2 ** 32)));
  }

  /** Starts a service of its own; the same seed gives the same requests and the same pauses. */
  static async start(seed: number, log: LogName): Promise<ChaosRun> {
    const installation = await Installation.create(log);
    try {
      const address = await installation.start();
      const organizationId = await organizationOf(installation, address.trackingKey);
      return new ChaosRun(installation, new SeededRandom(seed), address, organizationId);
    } catch (error) {
      await installation.end();
      throw new Error(`The service did not start; see ${installation.folder}.`, { cause: error });
    }
  }

  /** Where the service's data and its log are. */
  get folder(): string {
    return this.installation.folder;
  }

  /**
   * Kills the victims, one shortly after the other, while clients send, and lets the service
   * recover by itself; then checks what the clients were answered. Worker and projector may still
   * be at work, and the next round may well meet them at it.
   */
  async round(victims: readonly Victim[]): Promise<RoundReport> {
    const { plan, history, address: to } = this;
    const load = new Load({ to, plan, history, clients });
    load.start();
    let recoveryMs: number;
    try {
      await this.wait(before_kill_ms);
      const killed: Killed[] = [];
      // Once the parent is gone nobody brings the others back to be killed.
      const order = victims.toSorted((one, other) => rankOf(one) - rankOf(other));
      for (const victim of order) {
        if (killed.length > 0) await this.wait(between_kills_ms);
        killed.push(await kill(victim, this.installation));
      }
      const killedAt = Date.now();
      await recover(killed, this.installation, this.between(broker_away_ms));
      recoveryMs = Date.now() - killedAt;
      await this.wait(after_recovery_ms);
    } finally {
      await load.stop();
    }
    return this.report(recoveryMs);
  }

  /**
   * Waits until everything has come to rest, and checks the whole history so far against all that
   * the stores hold.
   */
  async check(): Promise<HistoryVerdict> {
    const stored = await readStoredState(this.installation);
    return checkHistory(this.history.attempts(), stored, (key) => this.idOf(key));
  }

  /** Stops the service in an orderly way and starts it again, which must lose nothing either. */
  async restart(): Promise<void> {
    await this.installation.stop();
    await this.installation.start();
  }

  /** Ends the service. Its folder is kept for a look at what went wrong, if anything did. */
  async stop(keepFolder: boolean): Promise<void> {
    await this.installation.end();
    if (!keepFolder) await this.installation.remove();
  }

  private report(recoveryMs: number): RoundReport {
    const fresh = this.history.takeFresh();
    const last = new Map(fresh.map(({ request, outcome }) => [request, outcome.kind]));
    return {
      recoveryMs,
      requests: last.size,
      acknowledged: fresh.reduce((sum, attempt) => sum + trackedIn(attempt), 0),
      requestsUnanswered: [...last.values()].filter((kind) => kind === 'uncertain').length,
      slowestMs: slowestOf(fresh),
      violations: checkAnswers(fresh, this.history, (key) => this.idOf(key)),
    };
  }

  private idOf(key: string): string {
    return eventIdOf(this.organizationId, key);
  }

  private between({ from, to }: { readonly from: number; readonly to: number }): number {
    return this.random.between(from, to);
  }

  private wait(range: { readonly from: number; readonly to: number }): Promise<void> {
    return pause(this.between(range));
  }
}

function trackedIn({ outcome }: Attempt): number {
  return outcome.kind === 'tracked' ? outcome.events.length : 0;
}

function rankOf(victim: Victim): number {
  return victim === 'parent' ? 1 : 0;
}
