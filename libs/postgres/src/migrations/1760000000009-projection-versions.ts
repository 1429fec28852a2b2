import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions of projections, built beside each other; what is there already is version 1. */
export class ProjectionVersions1760000000009 implements MigrationInterface {
  readonly name = 'ProjectionVersions1760000000009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table projection_version (
        projection text not null,
        version integer not null check (version > 0),
        state text not null
          check (state in ('building', 'following', 'live', 'retained', 'dropped')),
        app_version text,
        target jsonb,
        verification jsonb,
        created_at timestamptz not null default now(),
        cut_over_at timestamptz,
        retained_until timestamptz,
        tables_dropped_at timestamptz,
        primary key (projection, version),
        check (state <> 'retained' or retained_until is not null)
      )`);
    // Epochs are computed from one version, whatever else goes wrong.
    await runner.query(`
      create unique index projection_version_live on projection_version (projection)
      where state = 'live'`);
    await runner.query(`
      insert into projection_version (projection, version, state) values ('adoption', 1, 'live')`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table projection_version');
  }
}
