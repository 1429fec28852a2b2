import { toQuarantineRecord, type QuarantineReason } from '#contracts/messages/quarantine.js';
import { countQuarantined } from '#runtime/metrics.js';
import { app_version } from '#runtime/version.js';
import type { EventLog, LogRecord } from './event-log.js';

const remembered_max = 10_000;

/** A record that no retry will ever make acceptable, and why. */
export interface SetAside {
  readonly record: LogRecord;
  readonly reason: string;
}

/**
 * Sets records aside in a topic of their own, untouched. A batch that fails later comes again, as
 * often as it takes; what this process has set aside already is not copied again then.
 */
export class Quarantine {
  private done = new Set<string>();

  constructor(
    private readonly log: EventLog,
    private readonly topic: string,
    private readonly stage: QuarantineReason['stage'],
  ) {}

  /** Resolves with how many were new, once they are in the log. */
  async add(records: readonly SetAside[]): Promise<number> {
    const fresh = records.filter(({ record }) => !this.done.has(placeOf(record)));
    if (fresh.length === 0) return 0;
    const failedAt = new Date().toISOString();
    const copies = fresh.map(({ record, reason }) =>
      toQuarantineRecord(record, {
        reason,
        stage: this.stage,
        failedAt,
        appVersion: app_version,
      }),
    );
    await this.log.append(this.topic, copies);
    if (this.done.size > remembered_max) this.done = new Set();
    for (const { record, reason } of fresh) {
      this.done.add(placeOf(record));
      countQuarantined(this.stage, reason);
    }
    return fresh.length;
  }
}

function placeOf({ topic, partition, offset }: LogRecord): string {
  return `${topic}/${partition}/${offset}`;
}
