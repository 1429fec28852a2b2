/**
 * Tour, second stop: the same key again.
 *
 * Networks lose answers, so vendors retry. A retry of the same event is a duplicate and changes
 * nothing; another event under the same key is a mistake and is refused. A batch is all or nothing.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;
beforeAll(async () => {
  service = await startSpecService();
});
afterAll(() => service.stop());

const call = (key: string, changes: object = {}) => ({
  event_name: 'API_CALL',
  developer_id: 'dev-42',
  account_domain: 'customer.example',
  product: { id: 'code-search' },
  idempotencyKey: key,
  ...changes,
});
const batch = (events: readonly object[]) => service.post('/api/usage/track/batch', { events });

it('stores a batch and names each event', async () => {
  const { body } = await batch([call('a'), call('b'), call('c')]);
  expect(body).toMatchObject({ received: 3, stored: 3, duplicates: 0 });
});

it('answers the same batch again with the same ids, as duplicates', async () => {
  const { body } = await batch([call('a'), call('b'), call('c')]);
  expect(body).toMatchObject({ received: 3, stored: 0, duplicates: 3 });
});

it('refuses a batch in which one event changed, names the change, stores nothing', async () => {
  const { status, body } = await batch([call('d'), call('b', { latency_ms: 90 })]);
  expect(status).toBe(409);
  expect(body).toMatchObject({
    code: 'idempotency_conflict',
    errors: [{ pointer: '/events/1', changedFields: ['/events/1/latency_ms'] }],
  });
  const again = await service.post('/api/usage/track', call('d'));
  expect(again.body).toMatchObject({ tracked: true, duplicate: false });
});
