import { topics as declared_topics } from '#contracts/topics.js';
import { UnknownTopicError, type EventLog, type PartitionRange } from '#event-log/event-log.js';

/** A partition with the times of its first and last record, epoch ms; null when it is empty. */
export interface PartitionSummary extends PartitionRange {
  readonly oldest: number | null;
  readonly newest: number | null;
}

export interface TopicSummary {
  readonly name: string;
  readonly partitions: readonly PartitionSummary[];
  /** Null when no code declares the topic. */
  readonly retentionMs: number | null;
}

/** The topics that the code declares and those that a group reads, as far as the log has them. */
export async function describeTopics(log: EventLog): Promise<readonly TopicSummary[]> {
  const read = (await log.groups()).flatMap(({ topics }) => topics);
  const names = new Set([...declared_topics.map(({ name }) => name), ...read]);
  const found: TopicSummary[] = [];
  for (const name of names) {
    try {
      found.push(await describeTopic(log, name));
    } catch (error) {
      // No process that writes to it has started yet.
      if (!(error instanceof UnknownTopicError)) throw error;
    }
  }
  return found;
}

/** @throws UnknownTopicError */
export async function describeTopic(log: EventLog, name: string): Promise<TopicSummary> {
  const ranges = await log.ranges(name);
  const oldest = await timesAt(log, name, ranges, ({ low }) => low);
  const newest = await timesAt(log, name, ranges, ({ high }) => high - 1n);
  return {
    name,
    partitions: ranges.map((range) => ({
      ...range,
      oldest: oldest.get(range.partition) ?? null,
      newest: newest.get(range.partition) ?? null,
    })),
    retentionMs: declared_topics.find((topic) => topic.name === name)?.retentionMs ?? null,
  };
}

/** When one record of each partition that has any was appended. */
async function timesAt(
  log: EventLog,
  topic: string,
  ranges: readonly PartitionRange[],
  offsetOf: (range: PartitionRange) => bigint,
): Promise<ReadonlyMap<number, number>> {
  const filled = ranges.filter(({ low, high }) => low < high);
  const times = new Map<number, number>();
  if (filled.length === 0) return times;
  const at = (more: bigint) => ({
    at: 'offsets' as const,
    offsets: new Map(filled.map((range) => [range.partition, offsetOf(range) + more])),
  });
  const partitions = filled.map(({ partition }) => partition);
  for await (const { partition, records } of log.read(topic, {
    from: at(0n),
    to: at(1n),
    partitions,
  })) {
    times.set(partition, records[0]!.appendedAt);
  }
  return times;
}
