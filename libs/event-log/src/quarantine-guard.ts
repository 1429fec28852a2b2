import { admitBatch, judged_records, type Judgements } from '#domain/quarantine/quarantine-bar.js';
import type { Logger } from '#runtime/logger.js';
import { showQuarantineStop } from '#runtime/metrics.js';
import type { CheckResult } from '#runtime/readiness.js';
import type { LogRecord } from './event-log.js';

/** A partition whose batch was refused comes again within this time, or has gone elsewhere. */
const stop_kept_ms = 60_000;

/** What a stop tells its operator to do; written to the log once, when it begins. */
const remedy =
  'stopped: too many records cannot be read. Nothing of this batch was set aside and no offset' +
  ' moved. Roll back or mend this version, then restart it; if the records are really worthless,' +
  ' restart with QUARANTINE_SHARE_MAX=1 to set them aside.';

interface Stop {
  readonly partition: string;
  readonly setAside: number;
  readonly seenAt: number;
}

/** A batch was not finished because too much of it would have been set aside. */
export class QuarantineStopError extends Error {
  constructor(setAside: number) {
    super(
      `${setAside} of the last ${judged_records} records would be set aside; see the error log.`,
    );
    this.name = 'QuarantineStopError';
  }
}

/**
 * Stops a consumer that would set aside more than its share, as a broken deploy does, before it has
 * drained the topic. Once a batch was refused no other is admitted either, until that one comes
 * again (as it does, after a back-off) and is judged well.
 */
export class QuarantineGuard {
  private lately: Judgements = [];
  /** By partition: the offset below which every record was counted, however often it comes. */
  private readonly counted = new Map<string, bigint>();
  private stop: Stop | null = null;

  constructor(
    private readonly stage: string,
    private readonly shareMax: number,
    private readonly logger: Logger,
  ) {
    showQuarantineStop(stage, false);
  }

  /**
   * Counts a judged batch, and is called before anything of it is set aside.
   * @throws QuarantineStopError when it may not be finished; it was not counted then.
   */
  admit(records: readonly LogRecord[], setAside: ReadonlySet<LogRecord>, now: number): void {
    const { stop } = this;
    const partitions = new Set(records.map((record) => partitionOf(record)));
    if (stop !== null && isInForce(stop, now) && !partitions.has(stop.partition)) {
      throw new QuarantineStopError(stop.setAside);
    }
    const fresh = records.filter((record) => this.isFresh(record));
    const batch = fresh.map((record) => setAside.has(record));
    const admission = admitBatch(this.lately, batch, this.shareMax);
    switch (admission.kind) {
      case 'admitted':
        this.lately = admission.lately;
        for (const record of fresh) this.counted.set(partitionOf(record), record.offset + 1n);
        if (stop !== null && isOver(stop, partitions, now)) this.goOn();
        return;
      case 'refused': {
        const partition = partitionOf(fresh[admission.at]!);
        this.begin({ partition, setAside: admission.setAside, seenAt: now });
        throw new QuarantineStopError(admission.setAside);
      }
    }
  }

  /** For the probes: down for as long as nothing more is taken. */
  readiness(now: number): CheckResult {
    const { stop } = this;
    if (stop === null || !isInForce(stop, now)) return { up: true, detail: 'within its share' };
    return { up: false, detail: `stopped: ${stop.setAside} of ${judged_records} unreadable` };
  }

  private isFresh(record: LogRecord): boolean {
    return record.offset >= (this.counted.get(partitionOf(record)) ?? 0n);
  }

  private begin(stop: Stop): void {
    if (this.stop === null || !isInForce(this.stop, stop.seenAt)) {
      const { setAside, partition } = stop;
      this.logger.error({ stage: this.stage, setAside, of: judged_records, partition }, remedy);
    }
    this.stop = stop;
    showQuarantineStop(this.stage, true);
  }

  private goOn(): void {
    this.stop = null;
    showQuarantineStop(this.stage, false);
    this.logger.info({ stage: this.stage }, 'goes on: the records are within their share again');
  }
}

function isInForce(stop: Stop, now: number): boolean {
  return now - stop.seenAt < stop_kept_ms;
}

/** The refused batch came again and passed, or it never came again. */
function isOver(stop: Stop, partitions: ReadonlySet<string>, now: number): boolean {
  return partitions.has(stop.partition) || !isInForce(stop, now);
}

function partitionOf({ topic, partition }: LogRecord): string {
  return `${topic}/${partition}`;
}
