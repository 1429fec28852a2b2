import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { eventIdOf } from '#domain/usage/event-id.js';
import { eventually } from '../support/eventually.js';
import { startFaultyApp, type FaultyApp } from '../support/faulty-app.js';
import { post, specEnvironment, startSpecService, type SpecService } from '../support/service.js';

// The embedded log is made to hang by a lock on its tables; a broker that hangs or dies is in
// `log-server-killed.e2e.spec.ts`, which runs on either log.
const embedded = { KAFKA_BROKERS: '' };

let service: SpecService;
let faulty: FaultyApp | null = null;

beforeEach(async () => {
  service = await startSpecService(embedded);
});

afterEach(async () => {
  await faulty?.kill('SIGKILL');
  faulty = null;
  await service.stop();
});

const sent = {
  event_name: 'FIRST_API_CALL',
  developer_id: 'dev-1',
  product: { id: 'code-search' },
  idempotencyKey: 'the-key',
};
const environment = () => ({
  ...specEnvironment({
    databaseUrl: service.config.databaseUrl!,
    clickhouseUrl: service.config.clickhouseUrl!,
  }),
  ...embedded,
});

describe('a log that does not answer', () => {
  it('gives 503 store_uncertain with Retry-After, and the same retry is safe', async () => {
    const app = await startFaultyApp('api', { ...environment(), APPEND_DEADLINE_MS: '300' });
    faulty = app;
    const blocked = await blockAppends(service.config.databaseUrl!);
    const url = `${app.baseUrl}/api/usage/track`;
    const uncertain = await post(url, sent, service.organizationKey);
    expect(uncertain).toMatchObject({ status: 503, body: { code: 'store_uncertain' } });
    expect(Number(uncertain.headers.get('retry-after'))).toBeGreaterThan(0);
    await blocked.release();
    const again = await eventually(
      () => post(url, sent, service.organizationKey),
      ({ status }) => status === 200,
    );
    expect(again.body['eventId']).toBe(eventIdOf(service.organizationId, sent.idempotencyKey));
    const changed = await service.post('/api/usage/track', { ...sent, latency_ms: 7 });
    expect(changed.status).toBe(409);
  });
});

describe('requests that wait behind a log that does not answer', () => {
  it('are answered at their own deadline, and can be sent again when the log is back', async () => {
    const app = await startFaultyApp('api', { ...environment(), APPEND_DEADLINE_MS: '500' });
    faulty = app;
    const url = `${app.baseUrl}/api/usage/track`;
    const keys = Array.from({ length: 20 }, (_, index) => `waiting-${index}`);
    const sendAll = () =>
      Promise.all(
        keys.map(async (idempotencyKey, index) => {
          await pause(index * 15);
          return post(url, { ...sent, idempotencyKey }, service.organizationKey);
        }),
      );
    const blocked = await blockAppends(service.config.databaseUrl!);
    const refused = await sendAll();
    await blocked.release();
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
    expect(refused.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    const again = await eventually(sendAll, (all) => all.every(({ status }) => status === 200));
    expect(new Set(again.map(({ body }) => body['eventId'])).size).toBe(keys.length);
  });
});

/** Holds the lock that every append needs, as a server that hangs would. */
async function blockAppends(databaseUrl: string) {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('begin');
  await client.query('select 1 from event_log.partition for update');
  return { release: () => client.end() };
}
