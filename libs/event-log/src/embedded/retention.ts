import type { Pool } from 'pg';

/** Rows removed by one statement, so that no sweep holds locks for long. */
const rows_per_delete_max = 500;

interface ExpiredRow {
  readonly topic_id: number;
  readonly partition: number;
  readonly next_offset: string;
}

/**
 * Removes what is older than its topic keeps it: first the low end moves, then the rows below it
 * go, so that a crash in between leaves nothing a reader could stumble over.
 */
export class Retention {
  private timer: NodeJS.Timeout | null = null;
  private sweeping: Promise<void> | null = null;

  constructor(
    private readonly pool: Pool,
    private readonly tokenKeptMs: number,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(intervalMs: number): void {
    this.timer = setInterval(() => {
      void this.sweep().catch(this.onFailure);
    }, intervalMs);
    this.timer.unref();
  }

  async stop(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
    await this.sweeping?.catch(() => undefined);
  }

  /** One sweep over everything; a call during a sweep waits for that one. */
  sweep(): Promise<void> {
    this.sweeping ??= this.sweepAll().finally(() => {
      this.sweeping = null;
    });
    return this.sweeping;
  }

  private async sweepAll(): Promise<void> {
    await this.moveLowEnds();
    // A row also says that its append was stored: it stays while a repeat may look for that.
    await this.deleteInSteps(
      `delete from event_log.batch where (topic_id, partition, base_offset) in (
         select b.topic_id, b.partition, b.base_offset
         from event_log.partition p join event_log.batch b using (topic_id, partition)
         where b.last_offset < p.low_offset and b.base_offset < p.low_offset
           and b.appended_at < clock_timestamp() - $1 * interval '1 millisecond'
         limit ${rows_per_delete_max} for update of b skip locked)`,
      [this.tokenKeptMs],
    );
    await this.deleteInSteps(
      `delete from event_log.append_token where token in (
         select token from event_log.append_token
         where created_at < clock_timestamp() - $1 * interval '1 millisecond'
         limit ${rows_per_delete_max} for update skip locked)`,
      [this.tokenKeptMs],
    );
  }

  /** One partition per statement: two locks at once could meet an append the other way round. */
  private async moveLowEnds(): Promise<void> {
    const { rows } = await this.pool.query<ExpiredRow>(
      `select p.topic_id, p.partition, kept.next_offset
       from event_log.partition p join event_log.topic t using (topic_id),
       lateral event_log.offset_at(p.topic_id, p.partition,
         clock_timestamp() - t.retention_ms * interval '1 millisecond') as kept (next_offset)
       where p.low_offset < kept.next_offset`,
    );
    for (const { topic_id, partition, next_offset } of rows) {
      await this.pool.query(
        `update event_log.partition set low_offset = greatest(low_offset, $3)
         where topic_id = $1 and partition = $2`,
        [topic_id, partition, next_offset],
      );
    }
  }

  private async deleteInSteps(sql: string, values: readonly unknown[]): Promise<void> {
    for (;;) {
      const { rowCount } = await this.pool.query(sql, [...values]);
      if ((rowCount ?? 0) < rows_per_delete_max) return;
    }
  }
}
