import type { Client } from 'pg';
import type { Roster } from './fair-share.js';
import { memberLockClass, ownerLockClass } from './member-locks.js';
import { pause } from '../driver/pause.js';
import { wake_up_channel } from './wake-up.js';

/** A server that hangs does not answer the goodbye. */
const goodbye_ms = 1_000;

/** A topic as one group consumes it. */
export interface GroupTopic {
  readonly groupTopicId: number;
  readonly topicId: number;
  readonly topic: string;
}

export interface Claim {
  /** Where the group stands; null when it never committed here. */
  readonly next: bigint | null;
  readonly epoch: bigint;
}

export interface PartitionEnds {
  readonly low: bigint;
  readonly high: bigint;
}

interface LockRow {
  readonly class: string;
  readonly object: string;
  readonly pid: number;
}

/**
 * The dedicated connection of one group member. Its advisory locks are the membership and the
 * ownership of partitions; they vanish with the session, and the server ends a session that was
 * silent for `sessionTimeoutMs`. Any failure ends the session for good: `lost` fires.
 */
export class MemberSession {
  private readonly lostController = new AbortController();
  /** Fires once, when the session is over, whatever ended it. */
  readonly lost: AbortSignal = this.lostController.signal;
  private backendPid = 0;
  private lastQuery: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly client: Client,
    private readonly group: string,
    private readonly groupTopics: readonly GroupTopic[],
  ) {}

  /** @param onWakeUp called with the payload of each notification. */
  async open(sessionTimeoutMs: number, onWakeUp: (payload: string) => void): Promise<void> {
    this.client.on('error', () => this.lostController.abort());
    this.client.on('end', () => this.lostController.abort());
    this.client.on('notification', ({ payload }) => onWakeUp(payload ?? ''));
    await this.guard(async () => {
      await this.client.connect();
      const { rows } = await this.client.query<{ pid: number }>(
        `select pg_backend_pid() as pid, set_config('idle_session_timeout', $1, false)`,
        [String(sessionTimeoutMs)],
      );
      this.backendPid = rows[0]!.pid;
      await this.client.query(`listen ${wake_up_channel}`);
      for (const { groupTopicId } of this.groupTopics) {
        await this.client.query('select pg_advisory_lock($1, $2)', [
          memberLockClass(groupTopicId),
          this.backendPid,
        ]);
      }
    });
    await this.tellMembers();
  }

  /** This member's name in the roster. */
  get member(): number {
    return this.backendPid;
  }

  /** Members and owners of every topic, by `groupTopicId`. */
  async rosters(): Promise<ReadonlyMap<number, Roster>> {
    const classes = this.groupTopics.flatMap(({ groupTopicId }) => [
      memberLockClass(groupTopicId),
      ownerLockClass(groupTopicId),
    ]);
    const rows = await this.guard(async () => {
      const result = await this.client.query<LockRow>(
        `select classid::bigint as class, objid::bigint as object, pid from pg_locks
         where locktype = 'advisory' and granted and objsubid = 2
           and classid::bigint = any ($1::bigint[])
           and database = (select oid from pg_database where datname = current_database())`,
        [classes],
      );
      return result.rows;
    });
    const inClass = (lockClass: number): LockRow[] =>
      rows.filter((row) => Number(row.class) === lockClass);
    return new Map(
      this.groupTopics.map(({ groupTopicId }) => [
        groupTopicId,
        {
          members: inClass(memberLockClass(groupTopicId)).map(({ pid }) => pid),
          owners: new Map(
            inClass(ownerLockClass(groupTopicId)).map(({ object, pid }) => [Number(object), pid]),
          ),
        },
      ]),
    );
  }

  /** What the log holds of each topic, by topic id and partition. */
  async ends(): Promise<ReadonlyMap<number, ReadonlyMap<number, PartitionEnds>>> {
    const rows = await this.guard(async () => {
      const result = await this.client.query<{
        topic_id: number;
        partition: number;
        low_offset: string;
        next_offset: string;
      }>({
        name: 'event_log_ends',
        text: `select topic_id, partition, low_offset, next_offset from event_log.partition
               where topic_id = any ($1) order by topic_id, partition`,
        values: [this.groupTopics.map(({ topicId }) => topicId)],
      });
      return result.rows;
    });
    const ends = new Map<number, Map<number, PartitionEnds>>();
    for (const { topic_id, partition, low_offset, next_offset } of rows) {
      const partitions = ends.get(topic_id) ?? new Map<number, PartitionEnds>();
      ends.set(topic_id, partitions);
      partitions.set(partition, { low: BigInt(low_offset), high: BigInt(next_offset) });
    }
    return ends;
  }

  /** Null when another member owns the partition. */
  async claim(groupTopicId: number, partition: number): Promise<Claim | null> {
    const row = await this.guard(async () => {
      const { rows } = await this.client.query<{ next_offset: string | null; epoch: string }>(
        'select next_offset, epoch from event_log.claim($1, $2, $3)',
        [ownerLockClass(groupTopicId), groupTopicId, partition],
      );
      return rows[0];
    });
    if (row === undefined) return null;
    const next = row.next_offset === null ? null : BigInt(row.next_offset);
    return { next, epoch: BigInt(row.epoch) };
  }

  async release(groupTopicId: number, partition: number): Promise<void> {
    await this.guard(() =>
      this.client.query('select pg_advisory_unlock($1, $2)', [
        ownerLockClass(groupTopicId),
        partition,
      ]),
    );
  }

  /** Lets the other members look at the roster now instead of at their next poll. */
  async tellMembers(): Promise<void> {
    await this.guard(() =>
      this.client.query('select pg_notify($1, $2)', [wake_up_channel, `members:${this.group}`]),
    );
  }

  /** Leaves the group; safe to call twice and on a lost session. */
  async close(): Promise<void> {
    if (!this.lost.aborted) {
      // The locks are given up first, so that whoever is told finds them free.
      await this.guard(() => this.client.query('select pg_advisory_unlock_all()'))
        .then(() => this.tellMembers())
        .catch(() => undefined);
    }
    this.lostController.abort();
    await Promise.race([this.client.end().catch(() => undefined), pause(goodbye_ms)]);
  }

  /**
   * One query after the other, as the connection demands. Nothing of a session is trusted after a
   * failure: its locks may or may not be held.
   */
  private async guard<T>(work: () => Promise<T>): Promise<T> {
    const query = this.lastQuery.then(work);
    this.lastQuery = query.catch(() => undefined);
    try {
      return await query;
    } catch (error) {
      this.lostController.abort();
      // Not awaited: a server that hangs would not answer the goodbye either.
      void this.client.end().catch(() => undefined);
      throw error;
    }
  }
}
