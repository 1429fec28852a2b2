/**
 * Tour, third stop: the ranking.
 *
 * The clerk judges what came in, the projector turns it into rows, and an epoch publishes what may
 * be published: a tool with few developers has the same empty row as one with none.
 */
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;
beforeAll(async () => {
  service = await startSpecService();
  await service.startClerk();
  await service.startProjector();
});
afterAll(() => service.stop());

/** What `count` developers did, spread over seven customer accounts. */
const firstCalls = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    event_name: 'FIRST_API_CALL',
    developer_id: `dev-${index}`,
    account_domain: `customer-${index % 7}.example`,
    product: { id: 'code-search' },
    idempotencyKey: `first-call-${index}`,
  }));

const track = (count: number) =>
  service.post('/api/usage/track/batch', { events: firstCalls(count) });

/** The tool's row once an epoch holds what was sent, or as it is after some tries. */
async function rowWith(status: string) {
  const read = async () => {
    await service.publish();
    const { body } = await service.get('/api/v1/adoption?tool=code-search');
    return (body['rows'] as readonly { readonly status: string }[])[0];
  };
  return eventually(read, (row) => row?.status === status);
}

it('does not publish what stands on ten developers', async () => {
  await track(10);
  expect(await rowWith('insufficient_data')).toMatchObject({
    tool: { slug: 'code-search' },
    rank: null,
    score: null,
    metrics: null,
  });
});

it('publishes rounded figures once there are enough developers and accounts', async () => {
  await track(63);
  expect(await rowWith('published')).toMatchObject({
    rank: 1,
    metrics: { developers: { value: 75 }, accounts: { value: 5 } },
    confidence: { level: 'low' },
  });
});

it('shows the same ranking under its other address', async () => {
  const { body } = await service.get('/api/v1/agent-rank');
  expect(body).toMatchObject({ schemaVersion: 'service-adoption-v1', total: 1 });
});

it('says of a tool it does not know that it is missing, which proves nothing', async () => {
  const { body } = await service.get('/api/v1/adoption?tool=nobody-knows-it');
  expect(body).toMatchObject({ rows: [{ status: 'missing' }] });
});
