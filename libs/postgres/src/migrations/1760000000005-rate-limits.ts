import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Units of rate limits that instances asked for, per caller and window. */
export class RateLimits1760000000005 implements MigrationInterface {
  readonly name = 'RateLimits1760000000005';

  async up(runner: QueryRunner): Promise<void> {
    // Unlogged: after a crash of Postgres the windows of that minute begin anew, and in return no
    // lease waits for the disk. Half-filled pages keep the updates of a window in place.
    await runner.query(`
      create unlogged table rate_limit_quota (
        bucket bytea not null,
        window_start timestamptz not null,
        asked bigint not null,
        expires_at timestamptz not null,
        primary key (bucket, window_start)
      ) with (fillfactor = 50)`);
    await runner.query('create index rate_limit_quota_expiry on rate_limit_quota (expires_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table rate_limit_quota');
  }
}
