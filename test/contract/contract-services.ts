import { randomUUID } from 'node:crypto';
import { startApi } from '../../apps/api/src/api.js';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { Shutdown } from '#runtime/shutdown.js';
import { eventually } from '../support/eventually.js';
import { specEnvironment, startSpecService, type SpecService } from '../support/service.js';

/** The service on one set of stores, and further instances of the API with other settings. */
export interface ContractServices {
  /** Default settings; one tool is published with figures, and one without. */
  readonly plain: SpecService;
  /** Takes one unit of each quota, then refuses. Believes one proxy. */
  readonly limited: string;
  /** Bodies up to 4 KiB, of which only the first is held at once; batches of one event. */
  readonly narrow: string;
  /** Waits 400 ms for a whole request. */
  readonly hasty: string;
  /** Reaches no column store and waits 300 ms for the log. */
  readonly cutOff: string;
  stop(): Promise<void>;
}

/** The name of an event that the policy of the product ignores. */
export const ignored_event_name = 'DEPLOY';

export async function startContractServices(): Promise<ContractServices> {
  const shutdown = new Shutdown(createLogger('contract', 'silent'));
  const plain = await startSpecService();
  shutdown.add('plain', () => plain.stop());
  await plain.directory.rules.ignore(plain.productId, 'event_name', ignored_event_name);
  await plain.directory.createTool({
    slug: 'without-events',
    name: 'Without Events',
    categorySlug: 'code-intelligence',
  });
  await publishRanking(plain);
  const instance = async (settings: Readonly<Record<string, string>>) => {
    const { databaseUrl, clickhouseUrl } = plain.config;
    const stores = { databaseUrl: databaseUrl!, clickhouseUrl: clickhouseUrl! };
    const config = loadConfig({ ...specEnvironment(stores), BATCH_THREADS: '0', ...settings });
    return (await startApi(config, createLogger('contract', 'silent'), shutdown)).baseUrl;
  };
  return {
    plain,
    limited: await instance({
      RATE_LIMIT_PUBLIC_READ: '1/86400',
      RATE_LIMIT_TRACKING: '1/86400',
      TRUSTED_PROXY_HOPS: '1',
    }),
    narrow: await instance({
      BODY_BYTES_MAX: '4096',
      BODY_BYTES_IN_FLIGHT_MAX: '1024',
      BATCH_EVENTS_MAX: '1',
    }),
    hasty: await instance({ REQUEST_WAIT_MS_MAX: '400', HEADERS_WAIT_MS_MAX: '400' }),
    cutOff: await instance({ CLICKHOUSE_URL: 'http://127.0.0.1:1', APPEND_DEADLINE_MS: '300' }),
    stop: () => shutdown.stop(),
  };
}

/** Sends what one tool needs to be published with figures, and publishes it. */
async function publishRanking(service: SpecService): Promise<void> {
  const events = Array.from({ length: 60 }, (_, index) => ({
    ...newEvent(),
    account_domain: `company-${index % 6}.com`,
  }));
  await service.startClerk();
  await service.startProjector();
  await service.post('/api/usage/track/batch', { events });
  await eventually(
    async () => {
      await service.publish();
      return (await service.get('/api/v1/adoption')).body['rows'] as { status: string }[];
    },
    (rows) => rows.some(({ status }) => status === 'published'),
  );
}

/** A valid event that was never sent before. */
export function newEvent(): Readonly<Record<string, unknown>> {
  const key = randomUUID();
  return {
    event_name: 'FIRST_API_CALL',
    developer_id: `developer-${key}`,
    product: { id: 'code-search' },
    idempotencyKey: key,
  };
}

/** A tracking key that nobody has used. */
export async function newKey({ directory, organizationId }: SpecService): Promise<string> {
  return (await directory.issueTrackingKey({ organizationId, productId: null })).trackingKey;
}

let addresses = 0;

/** A client address that has not asked before, for the instance that believes a proxy. */
export function newAddress(): Readonly<Record<string, string>> {
  addresses += 1;
  return { 'x-forwarded-for': `203.0.113.${addresses}` };
}
