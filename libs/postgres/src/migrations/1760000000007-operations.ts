import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What operators do: the audit of their commands, and where an unfinished one stands. */
export class Operations1760000000007 implements MigrationInterface {
  readonly name = 'Operations1760000000007';

  async up(runner: QueryRunner): Promise<void> {
    // Times are those of the clock: an operation outlives many transactions.
    await runner.query(`
      create table operation (
        id uuid primary key default gen_random_uuid(),
        command text not null,
        arguments jsonb not null,
        turn text not null,
        plan jsonb not null,
        requested_by text not null,
        state text not null default 'running'
          check (state in ('running', 'completed', 'failed', 'cancelled')),
        checkpoint jsonb,
        result jsonb,
        started_at timestamptz not null default clock_timestamp(),
        updated_at timestamptz not null default clock_timestamp(),
        completed_at timestamptz
      )`);
    await runner.query('create index on operation (started_at)');
    // The same command with the same arguments continues what is unfinished: there is one.
    await runner.query(`
      create unique index on operation (command, md5(arguments::text))
      where completed_at is null`);
    // The log keeps a record that was set aside; here stands what became of it.
    await runner.query(`
      create table quarantine_resolution (
        topic text not null,
        partition integer not null,
        record_offset bigint not null,
        action text not null check (action in ('redriven', 'discarded')),
        operation_id uuid not null references operation (id),
        resolved_at timestamptz not null default clock_timestamp(),
        primary key (topic, partition, record_offset)
      )`);
    await runner.query('create index on quarantine_resolution (operation_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table quarantine_resolution, operation');
  }
}
