import type { MigrationInterface, QueryRunner } from 'typeorm';

const tables = ['organization', 'product', 'product_policy', 'campaign', 'organization_domain'];

/** A number that grows with everything that is registered; see `MappingDirectories`. */
export class DirectoryRevision1760000000011 implements MigrationInterface {
  readonly name = 'DirectoryRevision1760000000011';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table directory_revision (
        singleton boolean primary key default true check (singleton),
        revision bigint not null default 0
      )`);
    await runner.query('insert into directory_revision default values');
    await runner.query(`
      create function raise_directory_revision() returns trigger language plpgsql
      set search_path from current as $$
      begin
        update directory_revision set revision = revision + 1;
        return null;
      end $$`);
    // Deferred, so that the row is locked for no longer than a commit takes.
    for (const table of tables) {
      await runner.query(`
        create constraint trigger raise_directory_revision
        after insert or update or delete on ${table}
        deferrable initially deferred
        for each row execute function raise_directory_revision()`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of tables) {
      await runner.query(`drop trigger raise_directory_revision on ${table}`);
    }
    await runner.query('drop function raise_directory_revision');
    await runner.query('drop table directory_revision');
  }
}
