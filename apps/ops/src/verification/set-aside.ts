import type { LogRecord } from '#event-log/event-log.js';
import { scan, type Scan } from './scan.js';

/** Records of a topic that are in the quarantine, by partition and offset. */
export class SetAsideRecords {
  private readonly reasons = new Map<string, string>();
  /** What was set aside before it may have been removed by retention; epoch milliseconds. */
  horizon = -Infinity;

  constructor(private readonly originTopic: string) {}

  /** Reads the quarantine; what a record was set aside for, not how often, counts. */
  async read(what: Scan): Promise<void> {
    this.horizon = await scan({ ...what, allPartitions: true }, ({ headers }) => {
      if (headers['quarantine.origin.topic'] !== this.originTopic) return;
      const partition = headers['quarantine.origin.partition'];
      const offset = headers['quarantine.origin.offset'];
      this.reasons.set(`${partition}/${offset}`, headers['quarantine.reason'] ?? 'unknown');
    });
  }

  /** Why the record was set aside; null when it was not. */
  reasonOf({ partition, offset }: Pick<LogRecord, 'partition' | 'offset'>): string | null {
    return this.reasons.size === 0 ? null : (this.reasons.get(`${partition}/${offset}`) ?? null);
  }
}
