import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runningClickHouseUrl } from '#embedded-engines/clickhouse/running-clickhouse.js';
import { loadConfig } from '#runtime/load-config.js';
import type { Environment } from '../database-address.js';
import { UsageError } from '../usage-error.js';

export interface ErasureSettings {
  readonly clickhouseUrl: string;
  readonly identityPepper: string;
}

/**
 * The column store and the secret key of the hashes: of a running "npm start" below `dataDir`, else
 * of `CLICKHOUSE_URL` and `IDENTITY_PEPPER`.
 * @throws UsageError when one of them is nowhere, InvalidConfigError when a variable is not valid.
 */
export async function erasureSettings(
  dataDir: string | undefined,
  env: Environment,
): Promise<ErasureSettings> {
  const kept: Environment = dataDir === undefined ? {} : await keptSettings(dataDir);
  const { clickhouseUrl, identityPepper } = loadConfig({
    CLICKHOUSE_URL: kept['CLICKHOUSE_URL'] || env['CLICKHOUSE_URL'],
    IDENTITY_PEPPER: kept['IDENTITY_PEPPER'] || env['IDENTITY_PEPPER'],
  });
  if (clickhouseUrl !== undefined) return { clickhouseUrl, identityPepper };
  throw new UsageError(
    'Set CLICKHOUSE_URL, or name the data directory of a running "npm start" with --data-dir .data',
  );
}

async function keptSettings(dataDir: string): Promise<Environment> {
  const clickhouse = await runningClickHouseUrl(join(dataDir, 'clickhouse'));
  const pepper = await readFile(join(dataDir, 'identity-pepper'), 'utf8').catch(() => '');
  return { CLICKHOUSE_URL: clickhouse ?? undefined, IDENTITY_PEPPER: pepper.trim() };
}
