import {
  LogUnavailableError,
  UnknownTopicError,
  type PartitionRange,
  type TopicSpec,
} from '../event-log.js';
import { pause } from '../driver/pause.js';
import { faultType } from './faults.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import type { KafkaSettings } from './kafka-settings.js';
import type { Questions } from './questions.js';
import { ensureTopic } from './topic-settings.js';
import { read_committed, topic_resource, type WireCluster } from './wire.js';

export interface KnownTopic {
  readonly name: string;
  /** The topic's name on the cluster. */
  readonly wireName: string;
  readonly partitions: number;
  /** Largest batch that the topic takes, as it is sent, in bytes. */
  readonly batchBytesMax: number;
}

/** Kafka's names for the ends of a partition, in the place of a time. */
const earliest = -2;
const latest = -1;
const look_again_ms = 50;

/** Topics by name, remembered for a while: partition counts only ever rise. */
export class KafkaTopics {
  private readonly known = new Map<string, { readonly topic: KnownTopic; readAt: number }>();

  constructor(
    private readonly questions: Questions,
    private readonly settings: KafkaSettings,
    private readonly limits: KafkaLogLimits,
  ) {}

  wireName(name: string): string {
    return this.settings.topicPrefix + name;
  }

  /** The port's name of a topic on the cluster; null for those of other installations. */
  nameOf(wireName: string): string | null {
    const { topicPrefix } = this.settings;
    return wireName.startsWith(topicPrefix) ? wireName.slice(topicPrefix.length) : null;
  }

  /**
   * A remembered topic is answered at once, and looked up anew beside that when it is old: an
   * append must not wait for it, least of all while the cluster is away.
   * @throws UnknownTopicError
   */
  async get(name: string): Promise<KnownTopic> {
    const remembered = this.known.get(name);
    if (remembered === undefined) return this.load(name);
    if (Date.now() - remembered.readAt >= this.limits.topicRefreshMs) {
      remembered.readAt = Date.now();
      this.load(name).catch((error: unknown) => {
        if (error instanceof UnknownTopicError) this.forget(name);
      });
    }
    return remembered.topic;
  }

  forget(name: string): void {
    this.known.delete(name);
  }

  /** Creates what is missing, raises partition counts, updates retention. */
  async ensure(specs: readonly TopicSpec[]): Promise<void> {
    for (const spec of specs) {
      const { name, partitions } = spec;
      if (!Number.isInteger(partitions) || partitions < 1) {
        throw new RangeError(`Topic "${name}" needs at least one partition, not ${partitions}.`);
      }
      await this.questions.ask((cluster) =>
        ensureTopic(cluster, this.wireName(name), spec, {
          ...this.settings,
          recordBytesMax: this.limits.recordBytesMax,
        }),
      );
      await this.waitUntilReady(name, partitions);
    }
  }

  /** What the log holds now, also of partitions that another process has just added. */
  async ranges(name: string): Promise<PartitionRange[]> {
    const [low, high] = await this.ask(name, async (cluster, wireName) => {
      await cluster.refreshMetadata();
      const ends = [earliest, latest].map((end) => listOffsets(cluster, wireName, end));
      return Promise.all(ends);
    });
    return [...high!].map(([partition, end]) => ({
      partition,
      low: low!.get(partition) ?? 0n,
      high: end,
    }));
  }

  /** The first offset appended at or after `time` per partition; the high end when none was. */
  async offsetsAt(name: string, time: Date): Promise<Map<number, bigint>> {
    const [found, high] = await this.ask(name, (cluster, wireName) =>
      Promise.all([
        listOffsets(cluster, wireName, Math.max(0, time.getTime())),
        listOffsets(cluster, wireName, latest),
      ]),
    );
    return new Map(
      [...high].map(([at, end]) => [at, (found.get(at) ?? -1n) < 0n ? end : found.get(at)!]),
    );
  }

  /** Asks about one topic. @throws UnknownTopicError */
  async ask<T>(
    name: string,
    question: (cluster: WireCluster, wireName: string) => Promise<T>,
  ): Promise<T> {
    const wireName = this.wireName(name);
    return this.questions.ask(async (cluster) => {
      await target(cluster, name, wireName);
      return question(cluster, wireName);
    });
  }

  private async load(name: string): Promise<KnownTopic> {
    const topic = await this.ask(name, async (cluster, wireName) => {
      await cluster.refreshMetadata();
      const partitions = cluster.findTopicPartitionMetadata(wireName).length;
      return { name, wireName, partitions, batchBytesMax: await batchBytesMax(cluster, wireName) };
    });
    this.known.set(name, { topic, readAt: Date.now() });
    return topic;
  }

  private async waitUntilReady(name: string, partitions: number): Promise<void> {
    const deadline = Date.now() + this.limits.topicReadyMs;
    for (;;) {
      this.forget(name);
      if (await this.isReady(name, partitions)) return;
      if (Date.now() > deadline) {
        throw new LogUnavailableError(`topic "${name}" has partitions without a leader`, false);
      }
      await pause(look_again_ms);
    }
  }

  private async isReady(name: string, partitions: number): Promise<boolean> {
    try {
      return await this.ask(name, async (cluster, wireName) => {
        await cluster.refreshMetadata();
        const found = cluster.findTopicPartitionMetadata(wireName);
        return found.length >= partitions && found.every(({ leader }) => leader >= 0);
      });
    } catch (error) {
      if (error instanceof UnknownTopicError) return false;
      throw error;
    }
  }
}

/** Makes the cluster know the leaders of a topic. @throws UnknownTopicError */
export async function target(cluster: WireCluster, name: string, wireName: string): Promise<void> {
  try {
    await cluster.addMultipleTargetTopics([wireName]);
  } catch (error) {
    if (faultType(error) === 'UNKNOWN_TOPIC_OR_PARTITION') throw new UnknownTopicError(name);
    throw error;
  }
}

async function listOffsets(
  cluster: WireCluster,
  wireName: string,
  timestamp: number,
): Promise<Map<number, bigint>> {
  const byLeader = new Map<number, { partition: number; timestamp: number }[]>();
  for (const { partitionId, leader } of cluster.findTopicPartitionMetadata(wireName)) {
    const asked = byLeader.get(leader) ?? [];
    byLeader.set(leader, [...asked, { partition: partitionId, timestamp }]);
  }
  const answers = await Promise.all(
    [...byLeader].map(async ([leader, partitions]) => {
      const broker = await cluster.findBroker({ nodeId: String(leader) });
      const { responses } = await broker.listOffsets({
        replicaId: -1,
        isolationLevel: read_committed,
        topics: [{ topic: wireName, partitions }],
      });
      return responses.flatMap((response) => response.partitions);
    }),
  );
  return new Map(
    answers
      .flat()
      .sort((one, other) => one.partition - other.partition)
      .map(({ partition, offset }) => [partition, BigInt(offset)]),
  );
}

/** Kafka's own default, for clusters that do not let this client look. */
const default_batch_bytes_max = 1_048_588;

async function batchBytesMax(cluster: WireCluster, wireName: string): Promise<number> {
  try {
    const broker = await cluster.findControllerBroker();
    const { resources } = await broker.describeConfigs({
      resources: [{ type: topic_resource, name: wireName }],
    });
    const entries = resources.flatMap(({ configEntries }) => configEntries);
    const entry = entries.find(({ configName }) => configName === 'max.message.bytes');
    return entry === undefined ? default_batch_bytes_max : Number(entry.configValue);
  } catch (error) {
    if (faultType(error) !== 'TOPIC_AUTHORIZATION_FAILED') throw error;
    return default_batch_bytes_max;
  }
}
