import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { readLogContents } from '../support/log-contents.js';
import { post, startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;

beforeAll(async () => {
  service = await startSpecService();
  await service.startClerk();
});
afterAll(() => service.stop());

/** Half of the time for which everything was remembered once. */
const soon_ms = 5_000;
const eventsOf = (slug: string, count = 1) =>
  Array.from({ length: count }, (_, index) => ({
    event_name: 'API_CALL',
    developer_id: `dev-${index}`,
    product: { id: slug },
    account_domain: 'globex-corp.com',
    idempotencyKey: `${slug} ${Math.random()}`,
  }));
const register = (slug: string) =>
  service.directory.createProduct({
    organizationId: service.organizationId,
    toolId: null,
    slug,
    name: slug,
    type: 'api',
  });
const track = async (slug: string) => {
  const { status, body } = await service.post('/api/usage/track', eventsOf(slug)[0]);
  return { status, mapping: body['mapping'] as { readonly product: Record<string, unknown> } };
};
const acceptedOf = async (eventIds: readonly unknown[]) =>
  (await readLogContents(service.config)).accepted.filter(({ eventId }) =>
    eventIds.includes(eventId),
  );

describe('a product that was just registered', () => {
  it('is resolved soon, though its name was unknown just before', async () => {
    expect((await track('fresh')).mapping.product).toMatchObject({ resolution: 'unresolved' });
    const id = await register('fresh');
    const resolved = await eventually(
      () => track('fresh'),
      ({ mapping }) => mapping.product['resolution'] === 'slug',
      soon_ms,
    );
    expect(resolved.mapping.product).toMatchObject({ id });
  });

  it('counts for every event that was received after it, however soon', async () => {
    await track('code-search');
    const id = await register('at-once');
    const answer = await service.post('/api/usage/track/batch', {
      events: eventsOf('at-once', 40),
    });
    const results = answer.body['results'] as readonly { readonly eventId: string }[];
    const eventIds = results.map(({ eventId }) => eventId);
    const accepted = await eventually(
      () => acceptedOf(eventIds),
      ({ length }) => length === 40,
    );
    expect(new Set(accepted.map(({ productId }) => productId))).toEqual(new Set([id]));
  });
});

describe('a policy that was just laid down', () => {
  it('soon ignores what comes', async () => {
    // An organization of its own, of which nothing is remembered yet.
    const organizationId = await service.directory.createOrganization({
      slug: 'umbrella',
      name: '',
    });
    const product = { organizationId, toolId: null, slug: 'reader', name: 'Reader', type: 'api' };
    const productId = await service.directory.createProduct(product);
    const { trackingKey } = await service.directory.issueTrackingKey({ organizationId, productId });
    const url = `${service.baseUrl}/api/usage/track`;
    const send = () => post(url, eventsOf('reader')[0], trackingKey);
    expect((await send()).status).toBe(200);
    await service.directory.rules.ignore(productId, 'event_name', 'API_CALL');
    await eventually(send, ({ status }) => status === 202, soon_ms);
  });
});
