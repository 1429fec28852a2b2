import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Organizations, the tools that rankings list, products and tracking keys. */
export class DirectoryAndKeys1760000000001 implements MigrationInterface {
  readonly name = 'DirectoryAndKeys1760000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table organization (
        id uuid primary key,
        slug text not null unique,
        name text not null,
        evidence text not null default 'first_party',
        created_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table tool (
        id uuid primary key,
        slug text not null unique,
        name text not null,
        category_slug text not null,
        created_at timestamptz not null default now()
      )`);
    await runner.query(`
      create table product (
        id uuid primary key,
        organization_id uuid not null references organization (id),
        tool_id uuid references tool (id),
        slug text not null,
        name text not null,
        type text not null,
        created_at timestamptz not null default now(),
        unique (organization_id, slug)
      )`);
    await runner.query(`
      create table tracking_key (
        id uuid primary key,
        organization_id uuid not null references organization (id),
        product_id uuid references product (id),
        secret_hash bytea not null unique,
        display_prefix text not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz,
        revoked_at timestamptz
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table tracking_key, product, tool, organization');
  }
}
