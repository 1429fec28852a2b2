import { JoinedCalls } from '../driver/joined-calls.js';
import { groupBy } from '../driver/group-by.js';
import type { KafkaConnection } from './kafka-connection.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import {
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
  protocol_name,
} from './member-codec.js';
import { shareOut, type Share } from './share-out.js';
import type { WireBroker, WireCluster, WirePartition } from './wire.js';

/** A partition by its topic's name on the cluster. */
export interface WireTopicPartition {
  readonly wireName: string;
  readonly partition: number;
}

export interface OffsetCommit extends WireTopicPartition {
  readonly next: bigint;
  /** Fires when the partition may belong to another member. */
  readonly lost: AbortSignal;
}

const nobody = '';
const break_off_ms = 500;

/** One member's side of Kafka's group protocol, one request at a time. */
export class GroupSession {
  private memberId = nobody;
  private generation = -1;
  private coordinator: { cluster: WireCluster; broker: WireBroker } | null = null;
  private joining: Promise<unknown> = Promise.resolve();
  /** How many partitions each topic had when this member shared them out; empty if it did not. */
  private shared = new Map<string, number>();
  private readonly commits = new JoinedCalls<OffsetCommit, void>((commits) =>
    this.commitAll(commits),
  );

  constructor(
    private readonly group: string,
    private readonly topics: readonly string[],
    private readonly connection: KafkaConnection,
    private readonly limits: KafkaLogLimits,
  ) {}

  /**
   * Joins, or joins again, and answers what this member may own now, by topic. That can take as
   * long as the group waits for another member; shortly after `signal` it is broken off.
   */
  async join(owned: Share, signal: AbortSignal): Promise<Share> {
    const joined = this.joinAndSync(owned);
    this.joining = joined.catch(() => undefined);
    let timer: NodeJS.Timeout | undefined;
    const breakOff = (): void => {
      timer = setTimeout(() => this.connection.reset(), break_off_ms);
    };
    signal.addEventListener('abort', breakOff, { once: true });
    try {
      return await joined;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', breakOff);
    }
  }

  /** The coordinator does not know this member any more: it joins as a new one. */
  forget(): void {
    this.memberId = nobody;
    this.generation = -1;
  }

  async heartbeat(): Promise<void> {
    const { group: groupId, generation: groupGenerationId, memberId } = this;
    await this.ask((broker) => broker.heartbeat({ groupId, groupGenerationId, memberId }));
  }

  /** Stores a position, unless the coordinator takes this member for gone. */
  commit(commit: OffsetCommit): Promise<void> {
    return this.commits.add(commit);
  }

  /** Where the group stands; partitions without a committed offset are absent. */
  async committed(partitions: readonly WireTopicPartition[]): Promise<Map<string, bigint>> {
    const topics = [...groupBy(partitions, ({ wireName }) => wireName)].map(([topic, asked]) => ({
      topic,
      partitions: asked.map(({ partition }) => ({ partition })),
    }));
    const { responses } = await this.ask((broker) =>
      broker.offsetFetch({ groupId: this.group, topics }),
    );
    const found = responses.flatMap(({ topic, partitions: offsets }) =>
      offsets.map(
        ({ partition, offset }) => [keyOf({ wireName: topic, partition }), BigInt(offset)] as const,
      ),
    );
    return new Map(found.filter(([, offset]) => offset >= 0n));
  }

  /** Whether a topic has more partitions by now than this member has shared out. */
  async hasOutgrown(): Promise<boolean> {
    if (this.shared.size === 0) return false;
    return this.connection.use(async (cluster) => {
      await cluster.refreshMetadataIfNecessary();
      return [...this.shared].some(
        ([topic, count]) => cluster.findTopicPartitionMetadata(topic).length > count,
      );
    });
  }

  async leave(): Promise<void> {
    const { group: groupId, memberId } = this;
    if (memberId === nobody) return;
    await this.ask((broker) => broker.leaveGroup({ groupId, memberId }));
    this.forget();
  }

  private async joinAndSync(owned: Share): Promise<Share> {
    const { group: groupId, limits } = this;
    const waitMs = limits.rebalanceTimeoutMs + limits.answerMs;
    const metadata = encodeSubscription(this.topics, owned);
    const joined = await this.ask(
      (broker) =>
        broker.joinGroup({
          groupId,
          sessionTimeout: limits.sessionTimeoutMs,
          rebalanceTimeout: limits.rebalanceTimeoutMs,
          memberId: this.memberId,
          groupProtocols: [{ name: protocol_name, metadata }],
        }),
      waitMs,
    );
    this.memberId = joined.memberId;
    this.generation = joined.generationId;
    const leads = joined.leaderId === joined.memberId;
    this.shared = new Map();
    const groupAssignment = leads ? await this.assign(joined.members) : [];
    const { memberAssignment } = await this.ask(
      (broker) =>
        broker.syncGroup({
          groupId,
          generationId: joined.generationId,
          memberId: joined.memberId,
          groupAssignment,
        }),
      waitMs,
    );
    return decodeAssignment(memberAssignment);
  }

  private async assign(
    members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[],
  ): Promise<{ memberId: string; memberAssignment: Buffer }[]> {
    const sharing = members.map(({ memberId, memberMetadata }) => ({
      id: memberId,
      ...decodeSubscription(memberMetadata),
    }));
    const names = [...new Set(sharing.flatMap(({ topics }) => topics))];
    this.shared = await this.connection.use(async (cluster) => {
      await cluster.addMultipleTargetTopics(names);
      await cluster.refreshMetadata();
      return new Map(names.map((name) => [name, cluster.findTopicPartitionMetadata(name).length]));
    });
    return [...shareOut(sharing, this.shared)].map(([memberId, share]) => ({
      memberId,
      memberAssignment: encodeAssignment(share),
    }));
  }

  private async commitAll(commits: readonly OffsetCommit[]): Promise<void[]> {
    // A request behind a join would wait for it on the same connection, and be too old then.
    await this.joining;
    // Meanwhile it may have joined as a new member, whose commits count: not for what was lost.
    const owned = commits.filter(({ lost }) => !lost.aborted);
    if (owned.length === 0) return commits.map(() => undefined);
    const { group: groupId, generation: groupGenerationId, memberId } = this;
    const topics = [...groupBy(owned, ({ wireName }) => wireName)].map(([topic, parts]) => ({
      topic,
      partitions: parts.map(({ partition, next }): WirePartition => ({
        partition,
        offset: String(next),
      })),
    }));
    await this.ask((broker) =>
      broker.offsetCommit({ groupId, groupGenerationId, memberId, topics }),
    );
    return commits.map(() => undefined);
  }

  private ask<T>(question: (broker: WireBroker) => Promise<T>, ms?: number): Promise<T> {
    return this.connection.use(async (cluster) => {
      const known = this.coordinator;
      const broker =
        known?.cluster === cluster
          ? known.broker
          : await cluster.findGroupCoordinator({ groupId: this.group });
      this.coordinator = { cluster, broker };
      try {
        return await question(broker);
      } catch (error) {
        this.coordinator = null;
        throw error;
      }
    }, ms);
  }
}

export function keyOf({ wireName, partition }: WireTopicPartition): string {
  return `${wireName}/${partition}`;
}
