import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys that turned out to be one developer, and what has been erased. */
export class LinksAndErasures1760000000006 implements MigrationInterface {
  readonly name = 'LinksAndErasures1760000000006';

  async up(runner: QueryRunner): Promise<void> {
    // Rows in the column store keep the key they were written with; this table says whose it is.
    // Versions grow in the order of commits: whoever changes a link holds the identity lock.
    await runner.query('create sequence developer_alias_version');
    await runner.query(`
      create table developer_alias (
        dev_key bigint primary key,
        canonical_key bigint not null,
        version bigint not null default nextval('developer_alias_version')
      )`);
    await runner.query('create index on developer_alias (canonical_key)');
    await runner.query('create unique index on developer_alias (version)');
    // The audit record: it names nobody.
    await runner.query('create sequence erasure_version');
    await runner.query(`
      create table erasure (
        id bigint generated always as identity primary key,
        version bigint not null unique default nextval('erasure_version'),
        requested_by text not null,
        started_at timestamptz not null default clock_timestamp(),
        completed_at timestamptz,
        counts jsonb
      )`);
    // The ledger: what a replay must not bring back.
    await runner.query(`
      create table erased_identity (
        erasure_id bigint not null references erasure (id),
        identity_hash bytea not null,
        primary key (erasure_id, identity_hash)
      )`);
    await runner.query('create index on erased_identity (identity_hash)');
    await runner.query(`
      create table erased_key (
        dev_key bigint primary key,
        erasure_id bigint not null references erasure (id)
      )`);
    await runner.query('create index on erased_key (erasure_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table erased_key, erased_identity, erasure, developer_alias');
    await runner.query('drop sequence erasure_version, developer_alias_version');
  }
}
