import { randomInt } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { groupBy } from '../driver/group-by.js';
import { OffsetOutOfRangeError } from '../event-log.js';
import { faultType } from './faults.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaTopics } from './kafka-topics.js';
import { fetchQuestion, type FetchBounds } from './fetch-question.js';
import { RecordReader, type FetchedRecords } from './record-batch/record-reader.js';
import type { WireBroker } from './wire.js';
import { ask } from './wire-question.js';

/** A partition and the offset to go on from. */
export interface FetchPosition {
  readonly topic: string;
  readonly wireName: string;
  readonly partition: number;
  readonly offset: bigint;
}

export interface FetchedPosition extends FetchedRecords {
  readonly position: FetchPosition;
  /** One past the newest offset of the partition. */
  readonly high: bigint;
}

/** When a broker answers: with so many bytes, or after so long with what there is. */
export type FetchPatience = Pick<FetchBounds, 'bytesMin' | 'waitMs'>;

/** What is asked of the broker that leads all of `positions`. */
export interface FetchRequest {
  readonly positions: readonly FetchPosition[];
  readonly patience: FetchPatience;
  readonly limits: KafkaLogLimits;
}

/**
 * One request; `take` is called for every partition that has news.
 * @throws the first refusal of a partition, after the others have been taken.
 */
export async function fetchFrom(
  broker: WireBroker,
  { positions, patience, limits }: FetchRequest,
  take: (fetched: FetchedPosition) => void,
): Promise<void> {
  // A broker fills its answer in the order of the request: each time another one is the first.
  const first = randomInt(positions.length);
  const turned = [...positions.slice(first), ...positions.slice(0, first)];
  const byTopic = groupBy(turned, ({ wireName }) => wireName);
  const topics = [...byTopic].map(([topic, partitions]) => ({ topic, partitions }));
  const bounds = {
    ...patience,
    partitionBytesMax: limits.fetchBytesMax,
    bytesMax: limits.fetchBytesMax * 4,
  };
  const answers = await ask(broker, fetchQuestion(topics, bounds));
  for (const { topic, partition, batches, highWatermark } of answers) {
    const position = byTopic.get(topic)?.find((asked) => asked.partition === partition);
    if (position === undefined || batches.length === 0) continue;
    const records = new RecordReader(position).read(batches, position.offset);
    take({ position, ...records, high: highWatermark });
    // Reading megabytes takes its time, and others wait for theirs.
    await setImmediate();
  }
  const [refusal] = answers.flatMap((answer) => answer.refusal ?? []);
  if (refusal !== undefined) throw refusal;
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
