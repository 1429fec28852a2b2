import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { openClickhouse } from '#clickhouse/clickhouse.js';

/** Addresses of stores that belong to one spec alone. */
export interface SpecStores {
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  drop(): Promise<void>;
}

/** A fresh Postgres database and a fresh ClickHouse database on the engines of the test run. */
export async function createSpecStores(): Promise<SpecStores> {
  const name = `spec_${randomBytes(6).toString('hex')}`;
  const server = addressOf('UPTAKE_TEST_DATABASE_URL');
  const clickhouseUrl = addressOf('UPTAKE_TEST_CLICKHOUSE_URL');
  await onServer(server, `create database ${name}`);
  return {
    databaseUrl: withPath(server, name),
    clickhouseUrl: withPath(clickhouseUrl, name),
    drop: async () => {
      await onServer(server, `drop database if exists ${name} with (force)`);
      const clickhouse = openClickhouse({ url: clickhouseUrl, app: 'spec', database: 'default' });
      await clickhouse.run(`drop database if exists ${name}`);
      await clickhouse.close();
    },
  };
}

function addressOf(variable: string): string {
  const url = process.env[variable];
  if (url === undefined) throw new Error(`${variable} is not set; run the specs through jest.`);
  return url;
}

function withPath(url: string, database: string): string {
  const address = new URL(url);
  address.pathname = `/${database}`;
  return address.href;
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
