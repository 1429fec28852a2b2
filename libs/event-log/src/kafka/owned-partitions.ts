import type { TopicPartition } from '../event-log.js';
import { keyOf, type WireTopicPartition } from './group-session.js';
import { PartitionConsumer, type ConsumerHome } from './partition-consumer.js';
import type { Share } from './share-out.js';

/** The partitions that one member owns, each with the consumer that runs it until it has ended. */
export class OwnedPartitions {
  private readonly running = new Map<
    string,
    { consumer: PartitionConsumer; ended: Promise<void> }
  >();
  private readonly paused = new Set<string>();

  /** @param ended called when a consumer has ended; with its failure, if it failed. */
  constructor(
    private readonly home: ConsumerHome,
    private readonly ended: (failure?: unknown) => void,
  ) {}

  consumers(): readonly PartitionConsumer[] {
    return [...this.running.values()].map(({ consumer }) => consumer);
  }

  /** What the group is told: everything that still runs here, unless it is lost anyway. */
  asShare(): Share {
    const share: Share = new Map();
    for (const { wireName, at, lost } of this.consumers()) {
      if (!lost.aborted) share.set(wireName, [...(share.get(wireName) ?? []), at.partition]);
    }
    return share;
  }

  /** The partitions of a share that nothing runs yet, not even the end of a former consumer. */
  missing(share: Share): readonly WireTopicPartition[] {
    return [...share].flatMap(([wireName, partitions]) =>
      partitions
        .map((partition) => ({ wireName, partition }))
        .filter((at) => !this.running.has(keyOf(at))),
    );
  }

  /** The consumers of partitions that are not in the share. */
  outside(share: Share): readonly PartitionConsumer[] {
    return this.consumers().filter(
      ({ wireName, at }) => !(share.get(wireName) ?? []).includes(at.partition),
    );
  }

  start(wireName: string, at: TopicPartition, position: bigint): void {
    const consumer = new PartitionConsumer(wireName, at, position, this.home);
    const key = keyOf({ wireName, partition: at.partition });
    consumer.setPaused(this.paused.has(key));
    const ended = consumer.run().then(
      () => this.finish(key, consumer),
      (error: unknown) => this.finish(key, consumer, error),
    );
    this.running.set(key, { consumer, ended });
  }

  setPaused(at: WireTopicPartition, paused: boolean): void {
    const key = keyOf(at);
    if (paused) this.paused.add(key);
    else this.paused.delete(key);
    this.running.get(key)?.consumer.setPaused(paused);
  }

  /** Leaves a consumer behind whose handler ignores its signal; it commits nothing any more. */
  abandon(consumer: PartitionConsumer): void {
    consumer.lose();
    const { wireName, at } = consumer;
    this.running.delete(keyOf({ wireName, partition: at.partition }));
  }

  revokeAll(): void {
    for (const consumer of this.consumers()) consumer.revoke();
  }

  loseAll(): void {
    for (const consumer of this.consumers()) consumer.lose();
  }

  async allEnded(): Promise<void> {
    await Promise.all([...this.running.values()].map((running) => running.ended));
  }

  private finish(key: string, consumer: PartitionConsumer, failure?: unknown): void {
    if (this.running.get(key)?.consumer === consumer) this.running.delete(key);
    this.ended(failure);
  }
}
