import { table } from '../answer.js';
import type { SetAsideRecord } from './set-aside-record.js';

/** Records of one quarantine topic with one reason and stage. */
export interface QuarantineCount {
  readonly topic: string;
  readonly reason: string;
  readonly stage: string;
  readonly records: number;
}

/** Counts records by topic, reason and stage. */
export class QuarantineCounts {
  private readonly counts = new Map<string, QuarantineCount>();

  add({ record: { topic }, reason, stage }: SetAsideRecord): void {
    const key = JSON.stringify([topic, reason, stage]);
    const records = (this.counts.get(key)?.records ?? 0) + 1;
    this.counts.set(key, { topic, reason, stage, records });
  }

  /** Largest first. */
  list(): readonly QuarantineCount[] {
    return [...this.counts.values()].sort((one, other) => other.records - one.records);
  }
}

export function countLines(counts: readonly QuarantineCount[]): readonly string[] {
  if (counts.length === 0) return [];
  return table(
    ['TOPIC', 'REASON', 'STAGE', 'RECORDS'],
    counts.map(({ topic, reason, stage, records }) => [topic, reason, stage, String(records)]),
  );
}
