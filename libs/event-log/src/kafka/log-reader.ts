import { offsetsOf } from '../driver/log-positions.js';
import {
  LogUnavailableError,
  type LogBatch,
  type PartitionRange,
  type ReadOptions,
} from '../event-log.js';
import { fetchFrom, outOfRange, type FetchedPosition, type FetchPosition } from './fetching.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaTopics } from './kafka-topics.js';

/**
 * Reads without a group: straight from the brokers that lead the partitions, so that nothing has to
 * be joined before and nothing is left behind.
 */
export class LogReader {
  constructor(
    private readonly topics: KafkaTopics,
    private readonly limits: KafkaLogLimits,
  ) {}

  /** See `EventLog.read`; the bounds are those of the moment of this call. */
  read(topic: string, options: ReadOptions = {}): AsyncIterable<LogBatch> {
    const bounds = this.bounds(topic, options);
    // Whoever iterates sees the failure; without an iteration nobody waits for it.
    bounds.catch(() => undefined);
    return this.readWithin(topic, bounds, options.batchRecordsMax ?? this.limits.batchRecordsMax);
  }

  private async *readWithin(
    topic: string,
    bounds: Promise<readonly PartitionRange[]>,
    recordsMax: number,
  ): AsyncGenerator<LogBatch> {
    for (const { partition, low: from, high: to } of await bounds) {
      let position = from;
      while (position < to) {
        const { records, next, high } = await this.fetch(topic, partition, position);
        const wanted = records.filter(({ offset }) => offset < to);
        for (let at = 0; at < wanted.length; at += recordsMax) {
          const slice = wanted.slice(at, at + recordsMax);
          yield { topic, partition, records: slice, highWatermark: high };
        }
        position = next;
      }
    }
  }

  /** Records are there, because `from` is below the high end; a leader may not know it yet. */
  private async fetch(topic: string, partition: number, from: bigint): Promise<FetchedPosition> {
    const deadline = Date.now() + this.limits.answerMs;
    const position = { topic, wireName: this.topics.wireName(topic), partition, offset: from };
    while (Date.now() < deadline) {
      const fetched = await this.fetchOnce(position);
      if (fetched !== undefined && fetched.next > from) return fetched;
    }
    throw new LogUnavailableError(`${topic}/${partition} gives nothing at ${from}`, false);
  }

  private async fetchOnce(position: FetchPosition): Promise<FetchedPosition | undefined> {
    const { topic, partition, wireName } = position;
    return this.topics.ask(topic, async (cluster) => {
      const partitions = cluster.findTopicPartitionMetadata(wireName);
      const leader = partitions.find(({ partitionId }) => partitionId === partition)?.leader ?? -1;
      const broker = await cluster.findBroker({ nodeId: String(leader) });
      try {
        const patience = { bytesMin: 1, waitMs: this.limits.fetchWaitMs };
        let found: FetchedPosition | undefined;
        const request = { positions: [position], patience, limits: this.limits };
        await fetchFrom(broker, request, (fetched) => (found = fetched));
        return found;
      } catch (error) {
        throw (await outOfRange(error, [position], this.topics)) ?? error;
      }
    });
  }

  private async bounds(topic: string, options: ReadOptions): Promise<PartitionRange[]> {
    const ranges = await this.topics.ranges(topic);
    const { from = { at: 'beginning' }, to = { at: 'end' }, partitions } = options;
    const start = await offsetsOf(this.topics, topic, from, ranges);
    const end = await offsetsOf(this.topics, topic, to, ranges);
    return ranges
      .filter(({ partition }) => partitions === undefined || partitions.includes(partition))
      .map(({ partition, low, high }) => {
        const until = end.get(partition) ?? high;
        return { partition, low: start.get(partition) ?? low, high: until < high ? until : high };
      });
  }
}
