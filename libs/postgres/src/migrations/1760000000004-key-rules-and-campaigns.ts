import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names, signatures and the rotation of keys; policies, campaigns and own domains. */
export class KeyRulesAndCampaigns1760000000004 implements MigrationInterface {
  readonly name = 'KeyRulesAndCampaigns1760000000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tracking_key
        add column name text not null default '',
        add column require_signature boolean not null default false,
        add column expires_at timestamptz,
        add column successor_id uuid references tracking_key (id)`);
    await runner.query('create index on tracking_key (organization_id)');
    await runner.query(`
      create table product_policy (
        id uuid primary key,
        product_id uuid not null references product (id),
        scope text not null check (scope in ('product', 'event_name', 'environment')),
        value text check ((value is null) = (scope = 'product')),
        created_at timestamptz not null default now(),
        unique nulls not distinct (product_id, scope, value)
      )`);
    await runner.query(`
      create table campaign (
        id uuid primary key,
        organization_id uuid not null references organization (id),
        slug text not null,
        name text not null,
        source text,
        starts_at timestamptz,
        ends_at timestamptz check (ends_at > starts_at),
        created_at timestamptz not null default now(),
        unique (organization_id, slug)
      )`);
    await runner.query(`
      create table organization_domain (
        organization_id uuid not null references organization (id),
        domain text not null,
        created_at timestamptz not null default now(),
        primary key (organization_id, domain)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table organization_domain, campaign, product_policy');
    await runner.query(`
      alter table tracking_key
        drop column name, drop column require_signature,
        drop column expires_at, drop column successor_id`);
  }
}
