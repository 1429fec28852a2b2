import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the projector remembers, and the pointer to what is published. */
export class Publication1760000000003 implements MigrationInterface {
  readonly name = 'Publication1760000000003';

  async up(runner: QueryRunner): Promise<void> {
    // Versions come from one sequence, so a day that was cleared and marked again never gets a
    // version that somebody has seen before.
    await runner.query('create sequence dirty_day_version');
    await runner.query(`
      create table dirty_day (
        read_model text not null,
        day date not null,
        version bigint not null default nextval('dirty_day_version'),
        primary key (read_model, day)
      )`);
    await runner.query(`
      create table projection_checkpoint (
        projection text not null,
        topic text not null,
        partition integer not null,
        next_offset bigint not null,
        updated_at timestamptz not null default now(),
        primary key (projection, topic, partition)
      )`);
    await runner.query(`
      create table publication_request (
        id bigint generated always as identity primary key,
        requested_at timestamptz not null default now(),
        epoch bigint,
        answered_at timestamptz
      )`);
    await runner.query(`
      create index publication_request_open on publication_request (id)
      where answered_at is null`);
    await runner.query(`
      create table published_epoch (
        epoch bigint primary key,
        published_at timestamptz not null,
        as_of timestamptz not null,
        next_publication_at timestamptz,
        checksum text not null,
        fingerprint text not null,
        policy_version text not null,
        policy jsonb not null
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table published_epoch, publication_request, projection_checkpoint, dirty_day`);
    await runner.query('drop sequence dirty_day_version');
  }
}
