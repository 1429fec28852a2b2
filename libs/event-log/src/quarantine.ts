import { toQuarantineRecord, type QuarantineReason } from '#contracts/messages/quarantine.js';
import type { Logger } from '#runtime/logger.js';
import { countQuarantined } from '#runtime/metrics.js';
import type { CheckResult } from '#runtime/readiness.js';
import { app_version } from '#runtime/version.js';
import type { EventLog, LogRecord } from './event-log.js';
import { QuarantineGuard } from './quarantine-guard.js';

const remembered_max = 10_000;

/** What becomes of a record in the ordinary course of the claim protocol: no sign of trouble. */
const ordinary_reasons: ReadonlySet<string> = new Set(['superseded']);

/** A record that no retry will ever make acceptable, and why. */
export interface SetAside {
  readonly record: LogRecord;
  readonly reason: string;
}

export interface QuarantineTerms {
  readonly topic: string;
  readonly stage: QuarantineReason['stage'];
  /** Largest share of the last 1 000 records that may be set aside; 1 allows all. */
  readonly shareMax: number;
}

/**
 * Sets records aside in a topic of their own, untouched. A batch that fails later comes again, as
 * often as it takes; what this process has set aside already is not copied again then.
 */
export class Quarantine {
  private done = new Set<string>();
  private readonly guard: QuarantineGuard;

  constructor(
    private readonly log: EventLog,
    private readonly terms: QuarantineTerms,
    logger: Logger,
  ) {
    this.guard = new QuarantineGuard(terms.stage, terms.shareMax, logger);
  }

  /**
   * Sets aside what a judged batch could not have accepted. Resolves with how many were new, once
   * they are in the log.
   * @throws QuarantineStopError when they are too many; then none of them was set aside.
   */
  async settle(batch: readonly LogRecord[], setAside: readonly SetAside[]): Promise<number> {
    const troubling = setAside.filter(({ reason }) => !ordinary_reasons.has(reason));
    this.guard.admit(batch, new Set(troubling.map(({ record }) => record)), Date.now());
    const fresh = setAside.filter(({ record }) => !this.done.has(placeOf(record)));
    if (fresh.length === 0) return 0;
    const { topic, stage } = this.terms;
    const failedAt = new Date().toISOString();
    const copies = fresh.map(({ record, reason }) =>
      toQuarantineRecord(record, { reason, stage, failedAt, appVersion: app_version }),
    );
    await this.log.append(topic, copies);
    if (this.done.size > remembered_max) this.done = new Set();
    for (const { record, reason } of fresh) {
      this.done.add(placeOf(record));
      countQuarantined(stage, reason);
    }
    return fresh.length;
  }

  /** For the probes: down while this process takes nothing more. */
  readiness(): Promise<CheckResult> {
    return Promise.resolve(this.guard.readiness(Date.now()));
  }
}

function placeOf({ topic, partition, offset }: LogRecord): string {
  return `${topic}/${partition}/${offset}`;
}
