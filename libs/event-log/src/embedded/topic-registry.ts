import type { Pool } from 'pg';
import { UnknownTopicError, type PartitionRange, type TopicSpec } from '../event-log.js';

export interface KnownTopic {
  readonly id: number;
  readonly name: string;
  readonly partitions: number;
}

/** Topics by name, remembered for a while: partition counts only ever rise. */
export class TopicRegistry {
  private readonly known = new Map<string, { topic: KnownTopic; readAt: number }>();

  constructor(
    private readonly pool: Pool,
    private readonly refreshMs: number,
  ) {}

  /** @throws UnknownTopicError */
  async get(name: string): Promise<KnownTopic> {
    const remembered = this.known.get(name);
    if (remembered !== undefined && Date.now() - remembered.readAt < this.refreshMs) {
      return remembered.topic;
    }
    try {
      const topic = await this.load(name);
      this.known.set(name, { topic, readAt: Date.now() });
      return topic;
    } catch (error) {
      // An outage is no reason to forget: partitions never become fewer.
      if (remembered === undefined || error instanceof UnknownTopicError) throw error;
      return remembered.topic;
    }
  }

  private async load(name: string): Promise<KnownTopic> {
    const { rows } = await this.pool.query<KnownTopic>(
      'select topic_id as id, name, partitions from event_log.topic where name = $1',
      [name],
    );
    const topic = rows[0];
    if (topic === undefined) throw new UnknownTopicError(name);
    return topic;
  }

  /** Creates what is missing, raises partition counts, updates retention. */
  async ensure(specs: readonly TopicSpec[]): Promise<void> {
    // Sorted, so that two processes take the row locks in one order.
    const sorted = [...specs].sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const { name, partitions, retentionMs } of sorted) {
      if (!Number.isInteger(partitions) || partitions < 1) {
        throw new RangeError(`Topic "${name}" needs at least one partition, not ${partitions}.`);
      }
      await this.pool.query(
        `with topic as (
           insert into event_log.topic as t (name, partitions, retention_ms) values ($1, $2, $3)
           on conflict (name) do update set
             partitions = greatest(t.partitions, excluded.partitions),
             retention_ms = excluded.retention_ms
           returning topic_id, partitions
         )
         insert into event_log.partition (topic_id, partition)
         select topic_id, number from topic, generate_series(0, topic.partitions - 1) as number
         on conflict do nothing`,
        [name, partitions, retentionMs],
      );
      this.known.delete(name);
    }
  }

  async ranges(name: string): Promise<PartitionRange[]> {
    const { id } = await this.get(name);
    const { rows } = await this.pool.query<{ partition: number; low: string; high: string }>(
      `select partition, low_offset as low, next_offset as high from event_log.partition
       where topic_id = $1 order by partition`,
      [id],
    );
    return rows.map(({ partition, low, high }) => ({
      partition,
      low: BigInt(low),
      high: BigInt(high),
    }));
  }

  /** The first offset appended at or after `time` per partition; the high end when none was. */
  async offsetsAt(name: string, time: Date): Promise<Map<number, bigint>> {
    const { id } = await this.get(name);
    const { rows } = await this.pool.query<{ partition: number; offset: string }>(
      `select partition,
         greatest(low_offset, event_log.offset_at(topic_id, partition, $2)) as offset
       from event_log.partition where topic_id = $1 order by partition`,
      [id, time.toISOString()],
    );
    return new Map(rows.map(({ partition, offset }) => [partition, BigInt(offset)]));
  }
}
