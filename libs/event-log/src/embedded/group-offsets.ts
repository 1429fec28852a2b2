import type { Pool } from 'pg';
import {
  GroupActiveError,
  type GroupLag,
  type GroupSummary,
  type LogPosition,
} from '../event-log.js';
import { JoinedCalls } from '../driver/joined-calls.js';
import { groupLag } from '../driver/group-lag.js';
import { offsetsOf } from '../driver/log-positions.js';
import { memberLockClass, member_class } from './member-locks.js';
import type { TopicRegistry } from './topic-registry.js';

/** A position that the owner of a partition has reached. */
export interface OffsetCommit {
  readonly groupTopicId: number;
  readonly partition: number;
  readonly epoch: bigint;
  readonly next: bigint;
}

/** Committed positions of consumer groups. */
export class GroupOffsets {
  private readonly commits = new JoinedCalls((commits: readonly OffsetCommit[]) =>
    this.commitAll(commits),
  );

  constructor(
    private readonly pool: Pool,
    private readonly topics: TopicRegistry,
  ) {}

  /** The id under which a group and a topic hold locks and offsets together. */
  async groupTopicId(group: string, topic: string): Promise<number> {
    const { id } = await this.topics.get(topic);
    const { rows } = await this.pool.query<{ group_topic_id: number }>(
      `with fresh as (
         insert into event_log.group_topic (group_name, topic_id) values ($1, $2)
         on conflict do nothing returning group_topic_id
       )
       select group_topic_id from fresh
       union all
       select group_topic_id from event_log.group_topic where group_name = $1 and topic_id = $2`,
      [group, id],
    );
    // A concurrent insert that this snapshot does not see yet: it is there on the second look.
    return rows[0]?.group_topic_id ?? this.groupTopicId(group, topic);
  }

  /** Stores a position unless the partition has a newer owner: then false, and nothing changed. */
  commit(commit: OffsetCommit): Promise<boolean> {
    return this.commits.add(commit);
  }

  async committed(group: string, topic: string): Promise<Map<number, bigint>> {
    const { id } = await this.topics.get(topic);
    const { rows } = await this.pool.query<{ partition: number; next_offset: string }>(
      `select partition, next_offset from event_log.committed
       join event_log.group_topic using (group_topic_id)
       where group_name = $1 and topic_id = $2 and next_offset is not null order by partition`,
      [group, id],
    );
    return new Map(rows.map(({ partition, next_offset }) => [partition, BigInt(next_offset)]));
  }

  async lag(group: string, topic: string): Promise<GroupLag[]> {
    const committed = await this.committed(group, topic);
    return groupLag(committed, await this.topics.ranges(topic));
  }

  /** @throws GroupActiveError while the group has live members. */
  async reset(group: string, topic: string, to: LogPosition): Promise<void> {
    const ranges = await this.topics.ranges(topic);
    const offsets = await offsetsOf(this.topics, topic, to, ranges);
    const groupTopicId = await this.groupTopicId(group, topic);
    const members = await this.liveMembers(groupTopicId);
    if (members > 0) throw new GroupActiveError(group, members);
    // The new epoch fences a member that joined since the look above; it starts over from here.
    await this.pool.query(
      `insert into event_log.committed as c (group_topic_id, partition, next_offset, epoch)
       select $1, partition, next_offset, 1
       from unnest($2::integer[], $3::bigint[]) as o (partition, next_offset)
       on conflict (group_topic_id, partition) do update
         set next_offset = excluded.next_offset, epoch = c.epoch + 1`,
      [groupTopicId, [...offsets.keys()], [...offsets.values()]],
    );
  }

  async groups(): Promise<GroupSummary[]> {
    const { rows } = await this.pool.query<{ group: string; topics: string[]; members: string }>(
      `select g.group_name as group, array_agg(distinct t.name order by t.name) as topics,
         count(distinct l.pid) as members
       from event_log.group_topic g
       join event_log.topic t using (topic_id)
       left join pg_locks l on l.locktype = 'advisory' and l.granted and l.objsubid = 2
         and l.classid::bigint = $1 + g.group_topic_id
         and l.database = (select oid from pg_database where datname = current_database())
       group by g.group_name order by g.group_name`,
      [member_class],
    );
    return rows.map(({ group, topics, members }) => ({
      group,
      topics,
      members: Number(members),
    }));
  }

  // Not waiting for the disk, which costs more than the rest: what a crash of the server takes away
  // is delivered again, like whatever was not committed yet. What was appended before is flushed
  // first, so no position is ever ahead of the log.
  private async commitAll(commits: readonly OffsetCommit[]): Promise<readonly boolean[]> {
    const { rows } = await this.pool.query<{ number: number }>({
      name: 'event_log_commit',
      text: `update event_log.committed c set next_offset = o.next_offset
             from unnest($1::integer[], $2::integer[], $3::bigint[], $4::bigint[]) with ordinality
               as o (group_topic_id, partition, epoch, next_offset, number),
               (select set_config('synchronous_commit', 'off', true)) as unhurried
             where c.group_topic_id = o.group_topic_id and c.partition = o.partition
               and c.epoch = o.epoch
             returning o.number::integer`,
      values: [
        commits.map(({ groupTopicId }) => groupTopicId),
        commits.map(({ partition }) => partition),
        commits.map(({ epoch }) => epoch),
        commits.map(({ next }) => next),
      ],
    });
    const stored = new Set(rows.map(({ number }) => number));
    return commits.map((_, index) => stored.has(index + 1));
  }

  private async liveMembers(groupTopicId: number): Promise<number> {
    const { rows } = await this.pool.query<{ members: string }>(
      `select count(distinct pid) as members from pg_locks
       where locktype = 'advisory' and granted and objsubid = 2 and classid::bigint = $1
         and database = (select oid from pg_database where datname = current_database())`,
      [memberLockClass(groupTopicId)],
    );
    return Number(rows[0]!.members);
  }
}
