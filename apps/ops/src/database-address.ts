import { loadConfig } from '#runtime/load-config.js';
import { runningPostgresUrl } from './running-postgres.js';
import { UsageError } from './usage-error.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The secret of identity hashes, for commands that hash none. */
export const no_pepper = '-'.repeat(32);

/**
 * Where the database is: below `dataDir` if one is given, else `DATABASE_URL`.
 * @throws UsageError when neither is given, InvalidConfigError when the variable is no address.
 */
export async function databaseUrl(dataDir: string | undefined, env: Environment): Promise<string> {
  if (dataDir !== undefined) return runningPostgresUrl(dataDir);
  const config = loadConfig({
    DATABASE_URL: env['DATABASE_URL'],
    IDENTITY_PEPPER: no_pepper,
  });
  if (config.databaseUrl !== undefined) return config.databaseUrl;
  throw new UsageError(
    'Set DATABASE_URL, or name the data directory of a running "npm start" with --data-dir .data',
  );
}
