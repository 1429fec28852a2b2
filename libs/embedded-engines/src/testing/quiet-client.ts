import { ClickHouseLogLevel, createClient, type ClickHouseClient } from '@clickhouse/client';
import { randomBytes } from 'node:crypto';

/** The official client; errors are told to the caller only, not to the console as well. */
export function quietClient(url: string, database = 'default'): ClickHouseClient {
  return createClient({
    url,
    database,
    compression: { request: true, response: true },
    max_open_connections: 20,
    log: { level: ClickHouseLogLevel.OFF },
  });
}

/** A client of a database of its own in the engine of the test run. */
export async function freshDatabase(): Promise<{
  client: ClickHouseClient;
  drop(): Promise<void>;
}> {
  const url = process.env['UPTAKE_TEST_CLICKHOUSE_URL']!;
  const database = `engines_${randomBytes(6).toString('hex')}`;
  const admin = quietClient(url);
  await admin.command({ query: `CREATE DATABASE ${database}` });
  const client = quietClient(url, database);
  return {
    client,
    drop: async () => {
      await client.close();
      await admin.command({ query: `DROP DATABASE ${database}` });
      await admin.close();
    },
  };
}
