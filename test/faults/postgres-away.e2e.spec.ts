import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FaultyLink } from '#event-log/testing/faulty-link.js';
import { eventually } from '../support/eventually.js';
import { startFaultyApp, type FaultyApp } from '../support/faulty-app.js';
import { post, specEnvironment, startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;
let link: FaultyLink;
let app: FaultyApp;

beforeAll(async () => {
  service = await startSpecService();
  link = await FaultyLink.open(service.config.databaseUrl!);
  app = await startFaultyApp('api', {
    ...specEnvironment({ databaseUrl: link.url, clickhouseUrl: service.config.clickhouseUrl! }),
  });
});

afterAll(async () => {
  await app.kill('SIGKILL');
  await link.close();
  await service.stop();
});

const event = (key: string) => ({
  event_name: 'API_CALL',
  developer_id: 'dev-1',
  product: { id: 'code-search' },
  idempotencyKey: key,
});
const send = (path: string, body: unknown) =>
  post(`${app.baseUrl}${path}`, body, service.organizationKey);
const track = (key: string) => send('/api/usage/track', event(key));
const trackBatch = (keys: readonly string[]) =>
  send('/api/usage/track/batch', { events: keys.map((key) => event(key)) });

const ready = async () => (await fetch(`${app.baseUrl}/readyz`)).status;

describe.each([
  ['silent, as a frozen or partitioned one is', 'hang'],
  ['gone', 'refuse'],
] as const)('a Postgres that is %s', (_how, mode) => {
  it('answers everything 503 with Retry-After, and tracking goes on once it is back', async () => {
    const keys = ['one', 'two', 'three'].map((key) => `${mode} ${key}`);
    expect(await track(`${mode} before`)).toMatchObject({ status: 200 });
    link.mode = mode;
    if (mode === 'refuse') link.cut();
    const lost = await Promise.all([...keys.map((key) => track(key)), trackBatch(keys)]);
    for (const { status, headers, body } of lost) {
      expect({ status, code: body['code'] }).toEqual({ status: 503, code: expect.any(String) });
      expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    }
    expect(await eventually(ready, (status) => status !== 200)).toBe(503);

    link.mode = 'pass';
    link.cut();
    for (const key of keys) {
      const { body } = await eventually(
        () => track(key),
        ({ status }) => status === 200,
      );
      expect(body).toMatchObject({ tracked: true });
    }
    expect(await trackBatch(keys)).toMatchObject({ status: 200 });
    expect(await eventually(ready, (status) => status === 200)).toBe(200);
  });
});
