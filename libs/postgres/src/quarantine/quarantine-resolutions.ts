import type { DataSource } from 'typeorm';

export type QuarantineAction = 'redriven' | 'discarded';

/** A record of a quarantine topic. */
export interface QuarantinePlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

export interface QuarantineResolution {
  readonly action: QuarantineAction;
  readonly operationId: string;
  readonly resolvedAt: Date;
}

/**
 * What became of records that were set aside. The log only ever grows, so a record stays in its
 * quarantine topic; it is open as long as nothing stands here about it.
 */
export class QuarantineResolutions {
  constructor(private readonly database: DataSource) {}

  /** The offsets of a stretch of a partition, bounds included, that are open no more. */
  async resolvedWithin(
    topic: string,
    partition: number,
    first: bigint,
    last: bigint,
  ): Promise<ReadonlySet<bigint>> {
    const rows = await this.database.query<{ record_offset: string }[]>(
      `select record_offset from quarantine_resolution
       where topic = $1 and partition = $2 and record_offset between $3 and $4`,
      [topic, partition, first.toString(), last.toString()],
    );
    return new Set(rows.map(({ record_offset }) => BigInt(record_offset)));
  }

  async find({ topic, partition, offset }: QuarantinePlace): Promise<QuarantineResolution | null> {
    const rows = await this.database.query<QuarantineResolution[]>(
      `select action, operation_id as "operationId", resolved_at as "resolvedAt"
       from quarantine_resolution where topic = $1 and partition = $2 and record_offset = $3`,
      [topic, partition, offset.toString()],
    );
    return rows[0] ?? null;
  }

  /** What is resolved already stays as it is. */
  async resolve(
    places: readonly QuarantinePlace[],
    action: QuarantineAction,
    operationId: string,
  ): Promise<void> {
    if (places.length === 0) return;
    await this.database.query(
      `insert into quarantine_resolution (topic, partition, record_offset, action, operation_id)
       select topic, partition, record_offset, $4, $5
       from unnest($1::text[], $2::integer[], $3::bigint[])
         as place (topic, partition, record_offset)
       on conflict do nothing`,
      [
        places.map(({ topic }) => topic),
        places.map(({ partition }) => partition),
        places.map(({ offset }) => offset.toString()),
        action,
        operationId,
      ],
    );
  }

  /** How many records an operation has resolved, by what it did. */
  async resolvedBy(operationId: string): Promise<Readonly<Record<QuarantineAction, number>>> {
    const [row] = await this.database.query<{ redriven: number; discarded: number }[]>(
      `select count(*) filter (where action = 'redriven')::int as redriven,
              count(*) filter (where action = 'discarded')::int as discarded
       from quarantine_resolution where operation_id = $1`,
      [operationId],
    );
    return row!;
  }
}
