import { groupBy } from '../driver/group-by.js';
import { OffsetOutOfRangeError } from '../event-log.js';
import { faultType } from './faults.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaTopics } from './kafka-topics.js';
import { toFetchedRecords, type FetchedRecords } from './log-records.js';
import { read_committed, type WireBroker } from './wire.js';

/** A partition and the offset to go on from. */
export interface FetchPosition {
  readonly topic: string;
  readonly wireName: string;
  readonly partition: number;
  readonly offset: bigint;
}

export interface FetchedPosition extends FetchedRecords {
  readonly position: FetchPosition;
}

/** One request to the broker that leads all of `positions`; partitions without news are absent. */
export async function fetchFrom(
  broker: WireBroker,
  positions: readonly FetchPosition[],
  waitMs: number,
  limits: KafkaLogLimits,
): Promise<FetchedPosition[]> {
  const byTopic = groupBy(positions, ({ wireName }) => wireName);
  const { responses } = await broker.fetch({
    maxWaitTime: waitMs,
    minBytes: 1,
    maxBytes: limits.fetchBytesMax * 4,
    isolationLevel: read_committed,
    topics: [...byTopic].map(([topic, asked]) => ({
      topic,
      partitions: asked.map(({ partition, offset }) => ({
        partition,
        fetchOffset: String(offset),
        maxBytes: limits.fetchBytesMax,
      })),
    })),
  });
  return responses.flatMap(({ topicName, partitions }) =>
    partitions.flatMap((fetched): FetchedPosition[] => {
      const position = byTopic
        .get(topicName)
        ?.find(({ partition }) => partition === fetched.partition);
      if (position === undefined || fetched.messages.length === 0) return [];
      return [{ position, ...toFetchedRecords(position.topic, fetched, position.offset) }];
    }),
  );
}

/**
 * The port's error for the positions that the log does not have, if a broker said so of one of
 * them. A leader that has just changed may say so of an offset that is there; then there is none.
 */
export async function outOfRange(
  error: unknown,
  positions: readonly FetchPosition[],
  topics: KafkaTopics,
): Promise<OffsetOutOfRangeError | null> {
  if (faultType(error) !== 'OFFSET_OUT_OF_RANGE') return null;
  for (const [topic, asked] of groupBy(positions, (position) => position.topic)) {
    for (const range of await topics.ranges(topic)) {
      const position = asked.find(({ partition }) => partition === range.partition);
      if (position === undefined) continue;
      const { partition, offset } = position;
      if (offset < range.low || offset > range.high) {
        return new OffsetOutOfRangeError(topic, partition, offset, range);
      }
    }
  }
  return null;
}
