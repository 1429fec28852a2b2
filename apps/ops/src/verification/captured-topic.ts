import type { EventLog, PartitionRange } from '#event-log/event-log.js';
import type { Portion } from './portions.js';

/** A topic as it was when its watermarks were taken. */
export interface CapturedTopic {
  readonly name: string;
  readonly retentionMs: number;
  /** Epoch milliseconds of the capture. */
  readonly at: number;
  readonly ranges: readonly PartitionRange[];
}

interface KeptTopic {
  readonly name: string;
  readonly retentionMs: number;
}

/** Takes the watermarks of a topic; what is appended from now on is not looked at. */
export async function captureTopic(
  log: EventLog,
  { name, retentionMs }: KeptTopic,
): Promise<CapturedTopic> {
  const at = Date.now();
  return { name, retentionMs, at, ranges: await log.ranges(name) };
}

/** Partition → records between the watermarks. */
export function recordsByPartition(...topics: readonly CapturedTopic[]): Map<number, number> {
  const records = new Map<number, number>();
  for (const { ranges } of topics) {
    for (const { partition, low, high } of ranges) {
      records.set(partition, (records.get(partition) ?? 0) + Number(high - low));
    }
  }
  return records;
}

/** Records between the watermarks of the partitions of a portion. */
export function recordsOf({ ranges }: CapturedTopic, portion?: Portion): number {
  return ranges
    .filter(({ partition }) => portion?.partitions.includes(partition) ?? true)
    .reduce((sum, { low, high }) => sum + Number(high - low), 0);
}

/** What a group has committed, and what it has not begun counts from the low end. */
export async function committedOf(
  log: EventLog,
  group: string,
  topic: string,
): Promise<ReadonlyMap<number, bigint>> {
  const committed = await log.committed(group, topic);
  return new Map([...committed].filter(([, offset]) => offset >= 0n));
}
