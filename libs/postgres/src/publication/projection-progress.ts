import type { DataSource } from 'typeorm';
import { markDirtyDays } from './dirty-days.js';

/** What a projection has done, told in one step after its rows are stored. */
export interface ProjectionStep {
  readonly projection: string;
  readonly topic: string;
  /** Partition → one past the last record whose rows are stored. */
  readonly nextOffsets: ReadonlyMap<number, bigint>;
  /** Read model whose days have to be computed again. */
  readonly readModel: string;
  /** UTC days, `YYYY-MM-DD`, that got rows. */
  readonly days: Iterable<string>;
}

/** Dirty days and checkpoints: how far a projection is, and what its rows made stale. */
export class ProjectionProgress {
  constructor(private readonly database: DataSource) {}

  /** Marks the days and advances the checkpoints, both or neither. A checkpoint never goes back. */
  async record(step: ProjectionStep): Promise<void> {
    await this.database.transaction(async (transaction) => {
      await markDirtyDays(transaction, step.readModel, step.days);
      await transaction.query(
        `insert into projection_checkpoint (projection, topic, partition, next_offset)
         select $1, $2, p.partition, p.next_offset
         from unnest($3::int[], $4::bigint[]) as p (partition, next_offset)
         order by p.partition
         on conflict (projection, topic, partition) do update
         set next_offset = greatest(projection_checkpoint.next_offset, excluded.next_offset),
             updated_at = now()`,
        [
          step.projection,
          step.topic,
          [...step.nextOffsets.keys()],
          [...step.nextOffsets.values()].map(String),
        ],
      );
    });
  }

  /** Partition → one past the last record whose rows are stored. */
  async checkpoints(projection: string, topic: string): Promise<ReadonlyMap<number, bigint>> {
    const rows: { partition: number; next_offset: string }[] = await this.database.query(
      `select partition, next_offset from projection_checkpoint
       where projection = $1 and topic = $2 order by partition`,
      [projection, topic],
    );
    return new Map(rows.map((row) => [row.partition, BigInt(row.next_offset)]));
  }
}
