import { groupLag } from '../driver/group-lag.js';
import { offsetsOf } from '../driver/log-positions.js';
import {
  GroupActiveError,
  type GroupLag,
  type GroupSummary,
  type LogPosition,
} from '../event-log.js';
import { faultType } from './faults.js';
import type { KafkaTopics } from './kafka-topics.js';
import { decodeAssignment } from './member-codec.js';
import type { Questions } from './questions.js';
import type { WireBroker, WireGroup } from './wire.js';

/** A commit from outside of the group, which Kafka takes only while the group has no members. */
const outside = { groupGenerationId: -1, memberId: '' };
const occupied_types = new Set([
  'UNKNOWN_MEMBER_ID',
  'ILLEGAL_GENERATION',
  'REBALANCE_IN_PROGRESS',
]);

/** Committed positions of consumer groups. */
export class GroupOffsets {
  constructor(
    private readonly questions: Questions,
    private readonly topics: KafkaTopics,
  ) {}

  /** The group's name on the cluster. */
  wireName(group: string): string {
    return this.topics.wireName(group);
  }

  async committed(group: string, topic: string): Promise<Map<number, bigint>> {
    const { wireName, partitions } = await this.topics.get(topic);
    const asked = Array.from({ length: partitions }, (_, partition) => ({ partition }));
    const { responses } = await this.ask(group, (coordinator, groupId) =>
      coordinator.offsetFetch({ groupId, topics: [{ topic: wireName, partitions: asked }] }),
    );
    return new Map(
      responses
        .flatMap((response) => response.partitions)
        .map(({ partition, offset }) => [partition, BigInt(offset)] as const)
        .filter(([, offset]) => offset >= 0n)
        .sort(([one], [other]) => one - other),
    );
  }

  async lag(group: string, topic: string): Promise<GroupLag[]> {
    const committed = await this.committed(group, topic);
    return groupLag(committed, await this.topics.ranges(topic));
  }

  /** @throws GroupActiveError while the group has live members. */
  async reset(group: string, topic: string, to: LogPosition): Promise<void> {
    const ranges = await this.topics.ranges(topic);
    const offsets = await offsetsOf(this.topics, topic, to, ranges);
    const partitions = [...offsets].map(([partition, offset]) => ({
      partition,
      offset: String(offset),
    }));
    await this.ask(group, async (coordinator, groupId) => {
      const members = await membersOf(coordinator, groupId);
      if (members > 0) throw new GroupActiveError(group, members);
      const commit = {
        groupId,
        ...outside,
        topics: [{ topic: this.topics.wireName(topic), partitions }],
      };
      try {
        await coordinator.offsetCommit(commit);
      } catch (error) {
        // Somebody has joined since the look above.
        if (!occupied_types.has(faultType(error))) throw error;
        throw new GroupActiveError(group, Math.max(1, await membersOf(coordinator, groupId)));
      }
    });
  }

  async groups(): Promise<GroupSummary[]> {
    const summaries = await this.questions.ask(async (cluster) => {
      const brokers = cluster.getNodeIds();
      return Promise.all(
        // Every broker knows the groups that it coordinates.
        brokers.map(async (nodeId) => this.groupsOf(await cluster.findBroker({ nodeId }))),
      );
    });
    return summaries.flat().sort((one, other) => (one.group < other.group ? -1 : 1));
  }

  private async groupsOf(broker: WireBroker): Promise<GroupSummary[]> {
    const { groups } = await broker.listGroups();
    const groupIds = groups
      .filter(({ groupId }) => this.topics.nameOf(groupId) !== null)
      .map(({ groupId }) => groupId);
    if (groupIds.length === 0) return [];
    const described = await broker.describeGroups({ groupIds });
    return Promise.all(
      described.groups
        .filter(({ state }) => state !== 'Dead')
        .map(async (group) => ({
          group: this.topics.nameOf(group.groupId)!,
          topics: await this.topicsOf(broker, group),
          members: group.members.length,
        })),
    );
  }

  private async topicsOf(broker: WireBroker, group: WireGroup): Promise<string[]> {
    const { responses } = await broker.offsetFetch({ groupId: group.groupId, topics: [] });
    const assigned = group.members.flatMap(({ memberAssignment }) => [
      ...decodeAssignment(memberAssignment).keys(),
    ]);
    const wireNames = new Set([...responses.map(({ topic }) => topic), ...assigned]);
    return [...wireNames].flatMap((wireName) => this.topics.nameOf(wireName) ?? []).sort();
  }

  private ask<T>(
    group: string,
    question: (coordinator: WireBroker, groupId: string) => Promise<T>,
  ): Promise<T> {
    const groupId = this.wireName(group);
    return this.questions.ask(async (cluster) =>
      question(await cluster.findGroupCoordinator({ groupId }), groupId),
    );
  }
}

async function membersOf(coordinator: WireBroker, groupId: string): Promise<number> {
  const { groups } = await coordinator.describeGroups({ groupIds: [groupId] });
  return groups.reduce((sum, { members }) => sum + members.length, 0);
}
