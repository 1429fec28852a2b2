import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which cohorts stand behind an epoch, and publications that are only rehearsed. */
export class PublicationAttempts1760000000008 implements MigrationInterface {
  readonly name = 'PublicationAttempts1760000000008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table published_epoch
        add column attempt uuid,
        add column series_count integer not null default 0`);
    await runner.query(`
      alter table publication_request
        add column rehearsal boolean not null default false,
        add column report jsonb`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table publication_request drop column rehearsal, drop column report');
    await runner.query('alter table published_epoch drop column attempt, drop column series_count');
  }
}
