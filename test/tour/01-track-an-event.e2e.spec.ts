/**
 * Tour, first stop: one event in.
 *
 * A vendor sends what a developer did, with a tracking key and a name for the event (the
 * idempotency key). The answer says truthfully whether it is stored, and what it counts for.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;
beforeAll(async () => {
  service = await startSpecService();
});
afterAll(() => service.stop());

const event = {
  event_name: 'FIRST_API_CALL',
  developer_id: 'dev-42',
  email: 'ada@customer.example',
  product: { id: 'code-search' },
  idempotencyKey: 'order-1001',
};

it('first asks what would happen: a dry run stores nothing', async () => {
  const { status, body } = await service.post('/api/usage/track/dry-run', event);
  expect(status).toBe(200);
  expect(body).toMatchObject({ accepted: true, stored: false, idempotency: 'new' });
});

it('then sends the event, and reads that it is tracked', async () => {
  const { status, body } = await service.post('/api/usage/track', event);
  expect(status).toBe(200);
  expect(body).toMatchObject({
    tracked: true,
    duplicate: false,
    mapping: {
      eventFamily: 'activation',
      product: { name: 'Code Search' },
      account: { domain: 'customer.example', resolution: 'email_domain' },
      identity: { developer: 'id+email' },
    },
  });
});

it('gets a mistake explained: where it is, and what to send instead', async () => {
  const { status, body } = await service.post('/api/usage/track', {
    ...event,
    event_name: 'first api call',
  });
  expect(status).toBe(400);
  expect(body).toMatchObject({
    code: 'malformed_event_name',
    errors: [{ pointer: '/event_name', suggestion: 'FIRST_API_CALL' }],
  });
});
