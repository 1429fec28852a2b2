import type { UptakeConfig } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { linesOf } from './child-lines.js';
import { openDataDirectory, type DataDirectory } from './data-directory.js';
import { claimPort, localUrl } from './listening-address.js';
import { openStores } from './stores.js';
import { app_names, startApp } from './supervision/app-process.js';
import { ChildRecord } from './supervision/child-record.js';
import { Supervised, type Supervision } from './supervision/supervised.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Everything that runs, and where. */
export interface Installation {
  readonly config: UptakeConfig;
  readonly directory: DataDirectory;
  readonly databaseUrl: string;
  /** Where this machine reaches the API. */
  readonly localUrl: string;
  /** Where its users reach it. */
  readonly baseUrl: string;
}

/** Embedded installations publish every few seconds, so that a first event is soon to be seen. */
const publish_interval = 'PT5S';

/**
 * Starts engines and apps, in this order, each under supervision; what is started is added to
 * `shutdown` and so stops in the reverse order. The apps may not be ready yet on return.
 * @throws StartRefusedError when the data directory or the port is in use.
 */
export async function startInstallation(
  config: UptakeConfig,
  env: Environment,
  logger: Logger,
  shutdown: Shutdown,
): Promise<Installation> {
  const directory = await openDataDirectory(config.dataDir);
  shutdown.add('data directory', () => directory.release());
  const record = new ChildRecord(directory.file('children.json'));
  await record.endOrphans();
  const port = await claimPort(config.host, config.port);
  const address = localUrl(config.host, port);
  const baseUrl = config.baseUrl ?? address;
  const supervision: Supervision = {
    logger,
    remember: (name, pid) => record.remember(name, pid),
    giveUp: (name) => {
      logger.fatal({ child: name }, 'a child keeps ending; nothing runs without it');
      void shutdown.stopAndExit(1);
    },
  };

  const stores = await openStores(config, directory, supervision, shutdown);
  const appEnvironment: Environment = {
    ...env,
    HOST: config.host,
    PORT: String(port),
    BASE_URL: baseUrl,
    // One variable cannot name a port for two apps; here the API's readiness speaks for all.
    PROBE_PORT: '',
    DATABASE_URL: stores.databaseUrl,
    CLICKHOUSE_URL: stores.clickhouseUrl,
    IDENTITY_PEPPER: env['IDENTITY_PEPPER'] || directory.identityPepper,
    PUBLISH_INTERVAL: env['PUBLISH_INTERVAL'] || publish_interval,
  };
  const leftOut = config.appsLeftOut?.split(',') ?? [];
  const wanted = app_names.filter((name) => !leftOut.includes(name));
  const apps = wanted.map((name) => {
    const begin = () => Promise.resolve(startApp(name, appEnvironment, linesOf(name)));
    return new Supervised(name, begin, supervision);
  });
  shutdown.add('apps', () => Promise.all(apps.map((app) => app.stop())));
  await Promise.all(apps.map((app) => app.start()));
  return { config, directory, databaseUrl: stores.databaseUrl, localUrl: address, baseUrl };
}
