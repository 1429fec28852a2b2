import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { readLogContents } from '../support/log-contents.js';
import { startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;

beforeAll(async () => {
  service = await startSpecService();
  const { rules } = service.directory;
  await rules.ignore(service.productId, 'event_name', 'DEPLOY');
  await rules.ignore(service.productId, 'environment', 'staging');
});

afterAll(() => service.stop());

const event = (key: string, changes: object = {}) => ({
  event_name: 'API_CALL',
  developer_id: 'dev-1',
  product: { id: 'code-search' },
  idempotencyKey: key,
  ...changes,
});
const track = (body: unknown) => service.post('/api/usage/track', body);
const batch = (events: readonly unknown[]) => service.post('/api/usage/track/batch', { events });

describe('a product policy that says not to track', () => {
  it('is answered with 202, tracked false and the reason, and stores nothing', async () => {
    const ignored = {
      status: 202,
      body: { tracked: false, ignored: true, reason: 'event_name_ignored' },
    };
    expect(await track(event('a', { event_name: 'DEPLOY' }))).toMatchObject(ignored);
    expect(await track(event('b', { metadata: { environment: 'Staging' } }))).toMatchObject({
      status: 202,
      body: { reason: 'environment_ignored' },
    });
    expect((await readLogContents(service.config)).received).toEqual([]);
  });

  it('takes no promise back: what was stored before stays a duplicate or a conflict', async () => {
    const before = event('before', { event_name: 'INSTALL' });
    const first = await track(before);
    expect(first.body).toMatchObject({ tracked: true, duplicate: false });
    await service.directory.rules.ignore(service.productId, 'event_name', 'INSTALL');
    await eventually(
      () => track(event(randomUUID(), { event_name: 'INSTALL' })),
      ({ status }) => status === 202,
    );
    expect(await track(before)).toMatchObject({
      status: 200,
      body: { ...first.body, duplicate: true },
    });
    const changed = { ...before, latency_ms: 5 };
    expect(await track(changed)).toMatchObject({
      status: 409,
      body: { changedFields: ['/latency_ms'] },
    });
    expect(await batch([before, event('after', { event_name: 'INSTALL' })])).toMatchObject({
      status: 200,
      body: { stored: 0, duplicates: 1, ignored: 1 },
    });
    expect((await batch([event('new'), changed])).status).toBe(409);
    const dryRun = (body: unknown) => service.post('/api/usage/track/dry-run', body);
    expect((await dryRun(before)).body).toMatchObject({ idempotency: 'duplicate' });
    expect((await dryRun(changed)).body).toMatchObject({ idempotency: 'conflict' });
    expect((await track(event('new'))).body).toMatchObject({ duplicate: false });
  });

  it('makes a dry run answer 202 with accepted false', async () => {
    const dryRun = await service.post(
      '/api/usage/track/dry-run',
      event('c', { event_name: 'DEPLOY' }),
    );
    expect(dryRun).toMatchObject({
      status: 202,
      body: { accepted: false, stored: false, ignored: true },
    });
  });

  it('leaves the rest of a batch tracked; a batch of nothing else is 202', async () => {
    const mixed = await batch([event('d'), event('e', { event_name: 'DEPLOY' })]);
    expect(mixed).toMatchObject({
      status: 200,
      body: {
        tracked: true,
        stored: 1,
        ignored: 1,
        results: [
          { status: 200, tracked: true },
          { status: 202, tracked: false, ignored: true },
        ],
      },
    });
    const nothing = await batch([event('f', { event_name: 'DEPLOY' })]);
    expect(nothing).toMatchObject({ status: 202, body: { tracked: false, ignored: 1 } });
  });

  it('does not make an event valid that is not', async () => {
    const invalid = event('g', { event_name: 'DEPLOY', latency_ms: -1 });
    expect(await track(invalid)).toMatchObject({ status: 400 });
  });
});

describe('content that must not be sent', () => {
  it.each([
    [{ metadata: { prompt: 'write me a poem' } }, '/metadata/prompt'],
    [{ workflow: { authorization: `Bearer ${'a1B2'.repeat(10)}` } }, '/workflow/authorization'],
    [{ note: '-----BEGIN PRIVATE KEY-----\nMIIE' }, '/note'],
  ])('is refused with a pointer, and never repeated: %j', async (changes, pointer) => {
    const { status, body } = await track(event('h', changes));
    expect({ status, code: body['code'] }).toEqual({ status: 400, code: 'forbidden_content' });
    expect(body).toMatchObject({ errors: [{ pointer }] });
    expect(JSON.stringify(body)).not.toMatch(/poem|a1B2|MIIE/);
  });
});

describe('a key', () => {
  const issue = () =>
    service.directory.keys.issue({
      organizationId: service.organizationId,
      productId: null,
      name: 'spec',
      requireSignature: false,
    });
  const trackWith = (key: string) =>
    service.post('/api/usage/track', event('k'), { authorization: `Bearer ${key}` });

  it('is refused once it is revoked', async () => {
    const { keyId, trackingKey } = await issue();
    await service.directory.keys.revoke(keyId);
    expect(await trackWith(trackingKey)).toMatchObject({
      status: 401,
      body: { code: 'invalid_token' },
    });
  });

  it('that demands a signature takes nothing without the right one', async () => {
    const { trackingKey } = await service.directory.keys.issue({
      organizationId: service.organizationId,
      productId: null,
      name: 'signed',
      requireSignature: true,
    });
    const body = JSON.stringify(event('signed'));
    const signature = createHmac('sha256', trackingKey).update(body).digest('hex');
    const send = (headers: Record<string, string>) =>
      service.post('/api/usage/track', body, {
        authorization: `Bearer ${trackingKey}`,
        ...headers,
      });
    const refused = { status: 401, body: { code: 'invalid_signature' } };
    expect(await send({})).toMatchObject(refused);
    expect(await send({ 'x-service-signature': 'sha256=00' })).toMatchObject(refused);
    expect(await send({ 'x-service-signature': signature })).toMatchObject({ status: 200 });
  });

  it('works beside its successor until the overlap of its rotation is over', async () => {
    const old = await issue();
    const rotated = await service.directory.keys.rotate(old.keyId, 1500, Date.now());
    if (rotated.kind !== 'rotated') throw new Error(rotated.kind);
    expect(await trackWith(old.trackingKey)).toMatchObject({ status: 200 });
    await eventually(
      () => trackWith(old.trackingKey),
      ({ status }) => status === 401,
    );
    expect(await trackWith(rotated.successor.trackingKey)).toMatchObject({ status: 200 });
  });
});
