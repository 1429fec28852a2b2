import { startApi } from '../../apps/api/src/api.js';
import { startProjector } from '../../apps/projector/src/projector.js';
import { startIngestWorker } from '../../apps/ingest-worker/src/ingest-worker.js';
import { openDatabase } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { PublicationRequests } from '#postgres/publication/publication-requests.js';
import type { UptakeConfig } from '#runtime/config.js';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { Shutdown } from '#runtime/shutdown.js';
import { createSpecStores } from './stores.js';

const publish_ms_max = 20_000;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // The body is whatever the service said; specs state what they expect of it.
  readonly body: Readonly<Record<string, unknown>>;
}

/** The service in this process, on stores of its own. */
export interface SpecService {
  readonly config: UptakeConfig;
  readonly baseUrl: string;
  readonly organizationId: string;
  readonly productId: string;
  readonly organizationKey: string;
  readonly productKey: string;
  readonly directory: DirectoryStore;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  startClerk(): Promise<void>;
  startProjector(): Promise<void>;
  /** Publishes what has been projected so far and answers with the epoch. */
  publish(): Promise<number>;
  stop(): Promise<void>;
}

/** Environment of a test process on the given stores. */
export function specEnvironment(stores: {
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
}) {
  return {
    DATABASE_URL: stores.databaseUrl,
    CLICKHOUSE_URL: stores.clickhouseUrl,
    IDENTITY_PEPPER: 'a pepper for specs, and nothing else',
    PORT: '0',
    PUBLISH_INTERVAL: 'PT0S',
    LOG_LEVEL: 'silent',
    ...logEnvironment(stores.databaseUrl),
  };
}

/**
 * The run's log: Kafka when `npm run test:kafka` named a broker, else the embedded one. The specs
 * share the broker, each with topics and groups of its own.
 */
function logEnvironment(databaseUrl: string): Record<string, string> {
  const brokers = process.env['UPTAKE_TEST_KAFKA_BROKERS'];
  if (brokers === undefined) return {};
  const prefix = `${new URL(databaseUrl).pathname.slice(1)}.`;
  // Where a member is killed, its partitions wait for so long.
  const session = { KAFKA_SESSION_TIMEOUT_MS: '6000' };
  return { KAFKA_BROKERS: brokers, KAFKA_TOPIC_PREFIX: prefix, ...session };
}

/** Starts the API; the clerk and the rest are started by the specs that need them. */
export async function startSpecService(
  environment: Record<string, string> = {},
): Promise<SpecService> {
  const stores = await createSpecStores();
  const config = loadConfig({ ...specEnvironment(stores), ...environment });
  const logger = createLogger('spec', config.logLevel);
  const shutdown = new Shutdown(logger);
  shutdown.add('stores', () => stores.drop());
  const database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
  shutdown.add('database', () => database.destroy());
  const directory = new DirectoryStore(database);
  const vendor = await registerVendor(directory);
  const { organizationKey } = vendor;
  const { baseUrl } = await startApi(config, logger, shutdown);
  return {
    config,
    baseUrl,
    ...vendor,
    directory,
    post: (path, body, headers) => post(baseUrl + path, body, organizationKey, headers),
    get: async (path, headers = {}) => toAnswer(await fetch(baseUrl + path, { headers })),
    startProjector: async () => void (await startProjector(config, logger, shutdown)),
    publish: () => new PublicationRequests(database).publish(publish_ms_max),
    startClerk: async () => void (await startIngestWorker(config, logger, shutdown)),
    stop: () => shutdown.stop(),
  };
}

/** One vendor with one product that is published as a tool, and a key of each kind. */
export async function registerVendor(directory: DirectoryStore) {
  const organizationId = await directory.createOrganization({ slug: 'acme', name: 'Acme' });
  const toolId = await directory.createTool({
    slug: 'code-search',
    name: 'Code Search',
    categorySlug: 'code-intelligence',
  });
  const productId = await directory.createProduct({
    organizationId,
    toolId,
    slug: 'code-search',
    name: 'Code Search',
    type: 'api',
  });
  const organization = await directory.issueTrackingKey({ organizationId, productId: null });
  const product = await directory.issueTrackingKey({ organizationId, productId });
  return {
    organizationId,
    productId,
    organizationKey: organization.trackingKey,
    productKey: product.trackingKey,
  };
}

/** Posts JSON, or text as it is, with a bearer token unless `headers` name another. */
export async function post(
  url: string,
  body: unknown,
  token: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
  });
  return toAnswer(answer);
}

async function toAnswer(answer: Response): Promise<Answer> {
  const text = await answer.text();
  return {
    status: answer.status,
    headers: answer.headers,
    body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
  };
}
