import { Pool } from 'pg';

/** An order for units of one caller's quota in one window. */
export interface QuotaOrder {
  /** Keyed hash of policy and caller: no address and no key lies in the table. */
  readonly bucket: Buffer;
  /** Epoch milliseconds. */
  readonly windowStart: number;
  readonly windowMs: number;
  readonly units: number;
}

const connections_max = 2;
/** A store that takes longer than this counts as away. */
const answer_ms_max = 1_000;
const expired_rows_max = 10_000;

const lease_sql = `
  insert into rate_limit_quota as quota (bucket, window_start, asked, expires_at)
  select bucket, to_timestamp(start_ms / 1000), units, to_timestamp(end_ms / 1000)
  from unnest($1::bytea[], $2::float8[], $3::bigint[], $4::float8[])
    as ordered (bucket, start_ms, units, end_ms)
  order by bucket
  on conflict (bucket, window_start) do update set asked = quota.asked + excluded.asked
  returning encode(bucket, 'hex') as bucket, asked::float8 as asked`;

const expire_sql = `
  delete from rate_limit_quota where ctid = any (array(
    select ctid from rate_limit_quota where expires_at < now() limit ${expired_rows_max}))`;

/** The numbers that all instances share: how many units were asked for, per caller and window. */
export class QuotaStore {
  private readonly pool: Pool;

  constructor(databaseUrl: string) {
    this.pool = new Pool({
      connectionString: databaseUrl,
      application_name: 'rate-limits',
      max: connections_max,
      connectionTimeoutMillis: answer_ms_max,
      query_timeout: answer_ms_max,
      statement_timeout: answer_ms_max,
    });
    // A lost idle connection is replaced; the next lease reports a lasting fault.
    this.pool.on('error', () => undefined);
  }

  /**
   * Adds the units of each order to its number, in one statement, and answers with the numbers by
   * bucket in hex. Buckets must be distinct. Sorted, so that instances never deadlock.
   */
  async lease(orders: readonly QuotaOrder[]): Promise<ReadonlyMap<string, number>> {
    const { rows } = await this.pool.query<{ bucket: string; asked: number }>({
      name: 'lease-quota',
      text: lease_sql,
      values: [
        orders.map(({ bucket }) => bucket),
        orders.map(({ windowStart }) => windowStart),
        orders.map(({ units }) => units),
        orders.map(({ windowStart, windowMs }) => windowStart + windowMs),
      ],
    });
    return new Map(rows.map(({ bucket, asked }) => [bucket, asked]));
  }

  /** Removes windows that are over, a bounded number at a time. */
  async removeExpired(): Promise<void> {
    await this.pool.query(expire_sql);
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}
