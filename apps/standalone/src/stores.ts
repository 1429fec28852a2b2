import { startClickHouse } from '#embedded-engines/clickhouse/embedded-clickhouse.js';
import type { Engine, EngineOptions } from '#embedded-engines/engine.js';
import { freePort } from '#embedded-engines/free-port.js';
import { startPostgres } from '#embedded-engines/postgres/embedded-postgres.js';
import type { UptakeConfig } from '#runtime/config.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { linesOf } from './child-lines.js';
import type { DataDirectory } from './data-directory.js';
import { Supervised, type Supervision } from './supervision/supervised.js';

export interface StoreUrls {
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
}

/** Starts an embedded engine for every store that no address was given for. */
export async function openStores(
  config: UptakeConfig,
  directory: DataDirectory,
  supervision: Supervision,
  shutdown: Shutdown,
): Promise<StoreUrls> {
  const engines: Supervised<Engine>[] = [];
  shutdown.add('stores', () => Promise.all(engines.map((engine) => engine.stop())));
  const embedded = async (
    name: string,
    begin: (options: EngineOptions) => Promise<Engine>,
  ): Promise<string> => {
    // The apps know the address by heart, so a restarted engine comes back at the same port.
    const port = await freePort();
    const options = { directory: directory.file(name), port, log: linesOf(name) };
    const engine = new Supervised(name, () => begin(options), supervision);
    engines.push(engine);
    return (await engine.start()).url;
  };
  const [databaseUrl, clickhouseUrl] = await Promise.all([
    config.databaseUrl ?? embedded('postgres', startPostgres),
    config.clickhouseUrl ?? embedded('clickhouse', startClickHouse),
  ]);
  return { databaseUrl, clickhouseUrl };
}
