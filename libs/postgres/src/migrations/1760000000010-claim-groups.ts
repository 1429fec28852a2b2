import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The names of claim groups that were committed lately; see `ClaimLedger.committedGroups`. */
export class ClaimGroups1760000000010 implements MigrationInterface {
  readonly name = 'ClaimGroups1760000000010';

  async up(runner: QueryRunner): Promise<void> {
    // The ids are UUIDv7, so that their order is the order in which groups began.
    await runner.query('create table claim_group (group_id uuid primary key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table claim_group');
  }
}
