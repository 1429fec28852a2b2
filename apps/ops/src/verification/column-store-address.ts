import { join } from 'node:path';
import { runningClickHouseUrl } from '#embedded-engines/clickhouse/running-clickhouse.js';
import { loadConfig } from '#runtime/load-config.js';
import { no_pepper, type Environment } from '../database-address.js';
import { UsageError } from '../usage-error.js';

/**
 * Where the column store is: that of a running "npm start" below `dataDir`, else `CLICKHOUSE_URL`.
 * @throws UsageError when it is nowhere, InvalidConfigError when the variable is no address.
 */
export async function columnStoreUrl(
  dataDir: string | undefined,
  env: Environment,
): Promise<string> {
  const running =
    dataDir === undefined ? null : await runningClickHouseUrl(join(dataDir, 'clickhouse'));
  const { clickhouseUrl } = loadConfig({
    CLICKHOUSE_URL: running ?? env['CLICKHOUSE_URL'],
    IDENTITY_PEPPER: no_pepper,
  });
  if (clickhouseUrl !== undefined) return clickhouseUrl;
  throw new UsageError(
    'Set CLICKHOUSE_URL, or name the data directory of a running "npm start" with --data-dir .data',
  );
}
