import { OffsetOutOfRangeError, type LogPosition, type PartitionRange } from '../event-log.js';

/** Finds the first offset appended at or after a time, per partition. */
interface TopicTimes {
  offsetsAt(topic: string, time: Date): Promise<ReadonlyMap<number, bigint>>;
}

/**
 * The offset that a position means in each partition of a topic. Partitions that an offset map does
 * not name are absent from the answer.
 * @throws OffsetOutOfRangeError when an offset is not within what the log holds.
 */
export async function offsetsOf(
  topics: TopicTimes,
  topic: string,
  position: LogPosition,
  ranges: readonly PartitionRange[],
): Promise<ReadonlyMap<number, bigint>> {
  switch (position.at) {
    case 'beginning':
      return new Map(ranges.map(({ partition, low }) => [partition, low]));
    case 'end':
      return new Map(ranges.map(({ partition, high }) => [partition, high]));
    case 'time':
      return topics.offsetsAt(topic, position.time);
    case 'offsets':
      for (const [partition, offset] of position.offsets) {
        const range = ranges.find((candidate) => candidate.partition === partition);
        if (range === undefined) {
          throw new RangeError(`Topic "${topic}" has no partition ${partition}.`);
        }
        if (offset < range.low || offset > range.high) {
          throw new OffsetOutOfRangeError(topic, partition, offset, range);
        }
      }
      return position.offsets;
  }
}
