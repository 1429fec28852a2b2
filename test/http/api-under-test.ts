import { startApi } from '../../apps/api/src/api.js';
import { openDatabase } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { Shutdown } from '#runtime/shutdown.js';
import { registerVendor, specEnvironment } from '../support/service.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';

/** The API in this process, with its log in hand. */
export interface ApiUnderTest {
  readonly baseUrl: string;
  readonly stores: SpecStores;
  readonly trackingKey: string;
  /** Every line logged so far. */
  logged(): readonly Readonly<Record<string, unknown>>[];
  /** The same log as text, to look for what must not be in it. */
  logText(): string;
  stop(): Promise<void>;
}

/** Starts the API on fresh stores, or as another instance on the given ones. */
export async function startApiUnderTest(
  environment: Readonly<Record<string, string>> = {},
  shared?: ApiUnderTest,
): Promise<ApiUnderTest> {
  const stores = shared?.stores ?? (await createSpecStores());
  const config = loadConfig({
    ...specEnvironment(stores),
    BATCH_THREADS: '0',
    LOG_LEVEL: 'debug',
    ...environment,
  });
  let text = '';
  const logger = createLogger('api', config.logLevel, { write: (line) => void (text += line) });
  const shutdown = new Shutdown(logger);
  if (shared === undefined) shutdown.add('stores', () => stores.drop());
  const trackingKey = shared?.trackingKey ?? (await issueKey(stores));
  const { baseUrl } = await startApi(config, logger, shutdown);
  return {
    baseUrl,
    stores,
    trackingKey,
    logged: () =>
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    logText: () => text,
    stop: () => shutdown.stop(),
  };
}

async function issueKey(stores: SpecStores): Promise<string> {
  const database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
  try {
    return (await registerVendor(new DirectoryStore(database))).organizationKey;
  } finally {
    await database.destroy();
  }
}
