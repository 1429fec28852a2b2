import type { SessionPool } from './session-pool.js';

/** The engine's version as ClickHouse writes it: `26.7.2.1`. */
export async function readVersion(pool: SessionPool): Promise<string> {
  const result = await pool.run({
    sql: 'SELECT version()',
    rows: Buffer.alloc(0),
    database: 'default',
    format: 'TabSeparated',
    settings: new Map(),
    parameters: new Map(),
    queryId: 'version',
  });
  return Buffer.from(result.bytes).toString('utf8').trim();
}
