import { randomUUID } from 'node:crypto';
import { Client, type QueryResultRow } from 'pg';

/** A fresh database on the PostgreSQL of the test run. */
export interface TestDatabase {
  readonly url: string;
  query<Row extends QueryResultRow>(sql: string, values?: readonly unknown[]): Promise<Row[]>;
  drop(): Promise<void>;
}

export async function createTestDatabase(server: string): Promise<TestDatabase> {
  const name = `event_log_${randomUUID().replaceAll('-', '')}`;
  await runOnce(server, `create database ${name}`);
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  return {
    url,
    query: (sql, values) => runOnce(url, sql, values),
    drop: async () => void (await runOnce(server, `drop database ${name} with (force)`)),
  };
}

async function runOnce<Row extends QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Row>(sql, [...values]);
    return rows;
  } finally {
    await client.end();
  }
}
