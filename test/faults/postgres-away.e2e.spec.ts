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
const track = (key: string) =>
  post(`${app.baseUrl}/api/usage/track`, event(key), service.organizationKey);

describe('a Postgres that is silent, as a frozen or partitioned one is', () => {
  it('gives every request a 503 in the end, and tracking goes on once it is back', async () => {
    expect(await track('before')).toMatchObject({ status: 200 });
    link.mode = 'hang';
    const lost = await Promise.all(['one', 'two', 'three'].map((key) => track(key)));
    for (const { status } of lost) expect(status).toBe(503);
    link.mode = 'pass';
    link.cut();
    for (const key of ['one', 'two', 'three']) {
      const { body } = await eventually(
        () => track(key),
        ({ status }) => status === 200,
      );
      expect(body).toMatchObject({ tracked: true });
    }
  });
});
