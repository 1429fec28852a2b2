import { setTimeout as pause } from 'node:timers/promises';
import { eventIdOf } from '#domain/usage/event-id.js';
import { checkHistory, type HistoryVerdict } from './check-history.js';
import { History } from './history.js';
import { Installation } from './installation.js';
import { Load } from './load.js';
import { organizationOf, readStoredState } from './read-stored-state.js';
import { RequestPlan } from './request-plan.js';
import { SeededRandom } from '../support/seeded-random.js';
import type { TrackingAddress } from './tracking-client.js';
import { kill, recover, type Killed, type Victim } from './victims.js';

const clients = 8;
const keys_max = 1_000_000;
/** How long the load runs before the kill, and after the recovery, in milliseconds. */
const before_kill_ms = { from: 300, to: 1_500 };
const after_recovery_ms = { from: 300, to: 1_000 };
/** Between two kills of one round: the second often meets a recovery that is under way. */
const between_kills_ms = { from: 0, to: 600 };

export interface RoundReport extends HistoryVerdict {
  /** From the last kill until the service was ready again, in milliseconds. */
  readonly recoveryMs: number;
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
  static async start(seed: number): Promise<ChaosRun> {
    const installation = await Installation.create();
    try {
      const address = await installation.start();
      const organizationId = await organizationOf(installation, address.trackingKey);
      return new ChaosRun(installation, new SeededRandom(seed), address, organizationId);
    } catch (error) {
      await installation.stop();
      throw new Error(`The service did not start; see ${installation.folder}.`, { cause: error });
    }
  }

  /** Where the service's data and its log are. */
  get folder(): string {
    return this.installation.folder;
  }

  /**
   * Kills the victims, one shortly after the other, while clients send; lets the service recover
   * by itself and everything come to rest; then checks the whole history so far.
   */
  async round(victims: readonly Victim[]): Promise<RoundReport> {
    const load = new Load({
      to: this.address,
      plan: this.plan,
      history: this.history,
      clients,
    });
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
      await recover(killed, this.installation);
      recoveryMs = Date.now() - killedAt;
      await this.wait(after_recovery_ms);
    } finally {
      await load.stop();
    }
    return { recoveryMs, ...(await this.check()) };
  }

  /** Stops the service in an orderly way and starts it again, which must lose nothing either. */
  async restart(): Promise<void> {
    await this.installation.stop();
    await this.installation.start();
  }

  /** Ends the service. Its folder is kept for a look at what went wrong, if anything did. */
  async stop(keepFolder: boolean): Promise<void> {
    await this.installation.stop();
    if (!keepFolder) await this.installation.remove();
  }

  private async check(): Promise<HistoryVerdict> {
    const stored = await readStoredState(this.installation);
    return checkHistory(this.history.attempts(), stored, (key) =>
      eventIdOf(this.organizationId, key),
    );
  }

  private wait({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    return pause(this.random.between(from, to));
  }
}

function rankOf(victim: Victim): number {
  return victim === 'parent' ? 1 : 0;
}
