import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The idempotency ledger and the registry of developer identities. */
export class ClaimsAndIdentities1760000000002 implements MigrationInterface {
  readonly name = 'ClaimsAndIdentities1760000000002';

  async up(runner: QueryRunner): Promise<void> {
    // The event id is UUIDv5 of organization and idempotency key, so the key itself stays in the
    // log: small rows keep the ledger fast when it has grown (docs/decisions/0003). One table, not
    // partitions by hash: an id is looked for in one index instead of each (docs/decisions/0014).
    await runner.query(`
      create table idempotency_claim (
        event_id uuid primary key,
        organization_id uuid not null,
        payload_hash bytea not null,
        field_hashes bytea not null,
        received_at timestamptz not null
      )`);
    await runner.query(`
      create table developer_identity (
        identity_hash bytea primary key,
        dev_key bigint not null,
        created_at timestamptz not null default now()
      )`);
    await runner.query('create index on developer_identity (dev_key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table idempotency_claim, developer_identity');
  }
}
