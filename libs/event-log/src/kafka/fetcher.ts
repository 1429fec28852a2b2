import type { Logger } from '#runtime/logger.js';
import { Bell } from '../driver/bell.js';
import { groupBy } from '../driver/group-by.js';
import { backOffMs, pause } from '../driver/pause.js';
import { faultType, isPassing } from './faults.js';
import {
  fetchFrom,
  outOfRange,
  type FetchedPosition,
  type FetchPatience,
  type FetchPosition,
} from './fetching.js';
import type { KafkaConnection } from './kafka-connection.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaTopics } from './kafka-topics.js';
import type { PartitionConsumer } from './partition-consumer.js';

export interface FetcherTools {
  readonly connection: KafkaConnection;
  readonly topics: KafkaTopics;
  readonly limits: KafkaLogLimits;
  readonly logger: Logger | undefined;
}

interface Wish {
  readonly consumer: PartitionConsumer;
  readonly position: FetchPosition;
  readonly leader: number;
}

/**
 * Fetches for the consumers of one member: one request at a time to each broker, for all partitions
 * that it leads and whose consumer wants more. Outages are waited out.
 */
export class Fetcher {
  private readonly bell = new Bell();
  private readonly asked = new Set<number>();
  private failures = 0;
  /** The fetch before found something. */
  private flowing = false;
  private fail: (error: unknown) => void = () => undefined;

  constructor(
    private readonly consumers: () => Iterable<PartitionConsumer>,
    private readonly tools: FetcherTools,
    private readonly signal: AbortSignal,
  ) {}

  ring(): void {
    this.bell.ring();
  }

  /** Runs until the signal fires. @throws what no repeat can mend. */
  async run(): Promise<void> {
    const failed = new Promise<never>((_resolve, reject) => (this.fail = reject));
    await Promise.race([failed, this.runOn()]);
  }

  private async runOn(): Promise<void> {
    while (!this.signal.aborted) {
      try {
        for (const [leader, wishes] of await this.wishes()) this.begin(leader, wishes);
      } catch (error) {
        await this.endure(error, []);
      }
      await this.bell.wait(this.tools.limits.fetchWaitMs);
    }
  }

  private begin(leader: number, wishes: readonly Wish[]): void {
    if (this.asked.has(leader)) return;
    this.asked.add(leader);
    void this.fetch(leader, wishes)
      .catch((error: unknown) => this.fail(error))
      .finally(() => {
        this.asked.delete(leader);
        this.bell.ring();
      });
  }

  private async wishes(): Promise<Map<number, Wish[]>> {
    const wanted = [...this.consumers()].flatMap((consumer) => {
      const position = consumer.wanted;
      return position === null ? [] : [{ consumer, position }];
    });
    if (wanted.length === 0) return new Map();
    return this.tools.connection.use(async (cluster) => {
      await cluster.addMultipleTargetTopics([
        ...groupBy(wanted, ({ position }) => position.wireName).keys(),
      ]);
      const wishes = wanted.map(({ consumer, position }): Wish => {
        const partitions = cluster.findTopicPartitionMetadata(position.wireName);
        const found = partitions.find(({ partitionId }) => partitionId === position.partition);
        return { consumer, position, leader: found?.leader ?? -1 };
      });
      return groupBy(wishes, ({ leader }) => leader);
    });
  }

  private async fetch(leader: number, wishes: readonly Wish[]): Promise<void> {
    const { connection, limits } = this.tools;
    const positions = wishes.map(({ position }) => position);
    const patience = this.patience();
    this.flowing = false;
    const take = (fetched: FetchedPosition): void => {
      this.flowing = true;
      wishes.find(({ position }) => position === fetched.position)?.consumer.take(fetched);
    };
    try {
      await connection.use(async (cluster) => {
        const broker = await cluster.findBroker({ nodeId: String(leader) });
        await fetchFrom(broker, { positions, patience, limits }, take);
      }, patience.waitMs + limits.answerMs);
      this.failures = 0;
    } catch (error) {
      await this.endure(error, positions);
    }
  }

  /**
   * The first record after a silence comes at once. Where one was there are more: of an append to
   * many partitions a broker would answer each alone. Neither must a consumer with enough records,
   * which will soon want more, wait for quiet partitions.
   */
  private patience(): FetchPatience {
    const { fetchBytesMin, fetchWaitMs, fetchWaitBusyMs } = this.tools.limits;
    const busy = this.flowing || [...this.consumers()].some((consumer) => consumer.busy);
    return busy
      ? { bytesMin: fetchBytesMin, waitMs: fetchWaitBusyMs }
      : { bytesMin: 1, waitMs: fetchWaitMs };
  }

  private async endure(error: unknown, positions: readonly FetchPosition[]): Promise<void> {
    const { limits, logger, topics } = this.tools;
    const gone = await outOfRange(error, positions, topics).catch(() => null);
    if (gone !== null) throw gone;
    if (!isPassing(error) && faultType(error) !== 'OFFSET_OUT_OF_RANGE') throw error;
    if (this.failures === 0) logger?.warn({ err: error }, 'a fetch failed; it is repeated');
    const wait = backOffMs(this.failures, limits.retryMsMin, limits.retryMsMax);
    this.failures += 1;
    await pause(wait, this.signal);
  }
}
