import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newCredential } from '#domain/credentials/credential.js';
import { eventIdOf } from '#domain/usage/event-id.js';
import { readLogContents } from '../support/log-contents.js';
import { startSpecService, type SpecService } from '../support/service.js';
import { newEvent, trackEvent } from '../support/tracking-events.js';

let service: SpecService;

beforeAll(async () => {
  service = await startSpecService();
});

afterAll(() => service.stop());

const track = (body: unknown, headers?: Record<string, string>) =>
  trackEvent(service, body, headers);

describe('POST /api/usage/track', () => {
  it('stores an event and answers tracked with its id and mapping', async () => {
    const sent = newEvent({ occurredAt: '2026-05-22T12:00:00+02:00' });
    const { status, body } = await track(sent);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      tracked: true,
      duplicate: false,
      ignored: false,
      eventId: eventIdOf(service.organizationId, sent.idempotencyKey),
      occurredAt: '2026-05-22T10:00:00.000Z',
      mapping: {
        eventName: 'FIRST_API_CALL',
        eventFamily: 'activation',
        familySource: 'catalog',
        product: { name: 'Code Search', resolution: 'slug' },
        account: { domain: 'customer.example', resolution: 'account_domain' },
        evidence: 'first-party',
        nextFixes: [],
      },
    });
  });

  it('answers a retry with duplicate and the id and times of the stored event', async () => {
    const sent = newEvent();
    const first = await track(sent);
    const retry = await track(sent);
    expect(retry.status).toBe(200);
    expect(retry.body).toEqual({ ...first.body, duplicate: true });
  });

  it('takes a retry for the same event in any order of properties and spelling', async () => {
    const sent = newEvent({ metadata: { a: 1, b: 2 }, event_family: 'activation' });
    await track(sent);
    const { developer_id, idempotencyKey, event_family, ...rest } = sent as never as Record<
      string,
      string
    >;
    const respelled = {
      ...rest,
      metadata: { b: 2, a: 1 },
      developerId: developer_id,
      event_id: idempotencyKey,
      eventFamily: event_family,
      mcp_tool: null,
    };
    expect((await track(respelled)).body).toMatchObject({ tracked: true, duplicate: true });
  });

  it('answers 409 to a changed event under an existing key, naming what changed', async () => {
    const sent = newEvent();
    const first = await track(sent);
    const { status, body } = await track({ ...sent, developer_id: 'else', latency_ms: 5 });
    expect(status).toBe(409);
    expect(body).toMatchObject({
      code: 'idempotency_conflict',
      eventId: first.body['eventId'],
      firstReceivedAt: first.body['receivedAt'],
      changedFields: ['/developer_id', '/latency_ms'],
    });
    expect((await track(sent)).body).toMatchObject({ duplicate: true });
  });

  it('refuses an unknown event name with the nearest ones', async () => {
    const { status, body, headers } = await track(newEvent({ event_name: 'FIRST_API_CAL' }));
    expect(status).toBe(400);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(body).toMatchObject({
      code: 'unknown_event_name',
      status: 400,
      errors: [{ pointer: '/event_name', suggestion: 'FIRST_API_CALL' }],
    });
  });

  it('takes events of a product key without product and without a key', async () => {
    const { product: _product, idempotencyKey: _key, ...bare } = newEvent();
    const bearer = { authorization: `Bearer ${service.productKey}` };
    const [one, other] = [await track(bare, bearer), await track(bare, bearer)];
    expect(one.body).toMatchObject({
      duplicate: false,
      mapping: { product: { resolution: 'key' } },
    });
    expect(other.body).toMatchObject({ duplicate: false });
    expect(other.body['eventId']).not.toBe(one.body['eventId']);
  });

  it.each([
    ['missing_token', ''],
    ['missing_token', 'Basic abc'],
    ['invalid_token', 'Bearer trk_nonsense'],
    ['invalid_token', `Bearer ${newCredential('trackingKey')}`],
    ['wrong_token_kind', `Bearer ${newCredential('workflowToken')}`],
    ['placeholder_token', 'Bearer ${SERVICE_ADOPTION_KEY}'],
  ])('answers 401 %s to %j', async (code, authorization) => {
    const { status, body, headers } = await track(newEvent(), { authorization });
    expect({ status, code: body['code'] }).toEqual({ status: 401, code });
    expect(headers.get('www-authenticate')).toContain('Bearer');
  });

  it('refuses a key that comes out of a browser', async () => {
    const { status, body } = await track(newEvent(), { origin: 'https://shop.example' });
    expect({ status, code: body['code'] }).toEqual({ status: 401, code: 'key_used_in_browser' });
  });

  it.each([
    ['{"event_name":', 400, 'invalid_json'],
    ['', 400, 'invalid_json'],
    ['[]', 400, 'invalid_body'],
    [Buffer.from('{"source":"\xff"}', 'latin1'), 400, 'invalid_json'],
  ])('answers %j with a clear error', async (body, status, code) => {
    const answer = await track(body);
    expect({ status: answer.status, code: answer.body['code'] }).toEqual({ status, code });
  });

  it('says where JSON that is broken is broken', async () => {
    const { body } = await track(`{"source": "ü", "metadata": {"a": FIRST}}`);
    expect(body).toMatchObject({ code: 'invalid_json', position: 34 });
  });

  it.each<[string, object, readonly string[]]>([
    [
      'a campaign',
      { context: { attribution: { source: '\ud800' } } },
      ['/context/attribution/source'],
    ],
    ['a name of a property', { metadata: { a: [{ 'x\udc00': 1 }] } }, ['/metadata/a/0']],
    ['an id', { developer_id: 'x\ud800', userId: '\udfff' }, ['/developer_id', '/userId']],
    ['the key', { idempotencyKey: undefined, event_id: '\ud800' }, ['/event_id']],
  ])('refuses half a surrogate pair in %s, which no store can hold', async (_in, fields, at) => {
    const { status, body } = await track(newEvent(fields));
    expect(status).toBe(400);
    const errors = at.map((pointer) => expect.objectContaining({ code: 'invalid_field', pointer }));
    expect(body).toMatchObject({ code: 'invalid_field', errors });
  });

  it('takes whole surrogate pairs, and texts that only look like an escape', async () => {
    const sent = newEvent({ metadata: { 'ü😀': '\\ud800' }, projectId: '😀' });
    expect(await track(sent)).toMatchObject({ status: 200, body: { tracked: true } });
  });

  it('counts the bytes that were sent: 32 KiB are taken, one more is not', async () => {
    const bytes = (note: string) => newEvent({ email: 'ada@customer.example', metadata: { note } });
    const room = 32 * 1024 - Buffer.byteLength(JSON.stringify(bytes('')));
    expect((await track(bytes('n'.repeat(room)))).status).toBe(200);
    const { status, body } = await track(bytes('n'.repeat(room + 1)));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'event_too_large' });
    expect(String(body['detail'])).toContain('The event has 32769 bytes');
  });

  it('counts properties of all objects, and no items: 512 are taken, one more is not', async () => {
    const own =
      Object.keys(newEvent({ metadata: {} })).length + Object.keys(newEvent().product).length;
    const withProperties = (count: number) =>
      newEvent({
        metadata: {
          ...Object.fromEntries(Array.from({ length: count - own - 1 }, (_, at) => [`p${at}`, at])),
          list: Array.from({ length: 2000 }, () => 1),
        },
      });
    expect((await track(withProperties(512))).status).toBe(200);
    const refused = await track(withProperties(513));
    expect(refused).toMatchObject({ status: 400, body: { code: 'too_many_properties' } });
  });

  it.each(['account_domain', 'projectId'])('refuses one of our own keys as %s', async (field) => {
    const { status, body } = await track(newEvent({ [field]: service.productKey }));
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'forbidden_content', errors: [{ pointer: `/${field}` }] });
    expect(JSON.stringify(body)).not.toContain(service.productKey);
  });

  it.each([
    ['one of our own keys', () => service.productKey],
    ['an address with a password', () => 'postgres://app:hunter2@db/4711'],
  ])('takes %s as idempotency key, and stores nothing of it', async (_what, secret) => {
    const sent = newEvent({ idempotencyKey: secret() });
    expect((await track(sent)).body).toMatchObject({ tracked: true, duplicate: false });
    expect((await track(sent)).body).toMatchObject({ duplicate: true });
    const { received } = await readLogContents(service.config);
    expect(received.length).toBeGreaterThan(0);
    expect(JSON.stringify(received)).not.toContain(secret());
  });

  it('names no more than 50 faults, however many there are', async () => {
    const sent = newEvent({ metadata: { list: Array.from({ length: 200 }, () => '\ud800') } });
    const batch = { events: [newEvent(), sent] };
    const lenient = { prefer: 'handling=lenient' };
    const { status, body } = await service.post('/api/usage/track/batch', batch, lenient);
    expect(status).toBe(207);
    const [, refused] = body['results'] as { errors: object[] }[];
    expect(refused!.errors).toHaveLength(50);
    expect(refused!.errors[0]).toMatchObject({ pointer: '/events/1/metadata/list/0' });
  });

  it('answers 415 to another content type and 413 to a body over the maximum', async () => {
    const media = await track('x', { 'content-type': 'text/plain' });
    expect(media).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
    const large = await track(' '.repeat(service.config.bodyBytesMax + 1));
    expect(large).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  it('carries the request id of the caller, or one of its own', async () => {
    const own = await track(newEvent());
    expect(own.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    const given = await track(newEvent(), { 'x-request-id': 'caller-0001' });
    expect(given.headers.get('x-request-id')).toBe('caller-0001');
  });
});

describe('100 clients with one new key', () => {
  const crowd = (bodies: readonly unknown[]) => Promise.all(bodies.map((body) => track(body)));

  it('are told once that it is new when all say the same', async () => {
    const sent = newEvent();
    const answers = await crowd(Array.from({ length: 100 }, () => sent));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(answers.filter(({ body }) => body['duplicate'] === false)).toHaveLength(1);
    expect(new Set(answers.map(({ body }) => body['eventId'])).size).toBe(1);
  });

  it('store one content; the others are duplicates or conflicts by what they say', async () => {
    const sent = newEvent();
    const bodies = Array.from({ length: 100 }, (_, index) => ({ ...sent, latency_ms: index % 2 }));
    const answers = await crowd(bodies);
    const fresh = answers.filter(({ body }) => body['duplicate'] === false);
    expect(fresh).toHaveLength(1);
    const stored = answers.indexOf(fresh[0]!) % 2;
    expect(answers.map(({ status }) => status)).toEqual(
      answers.map((_, index) => (index % 2 === stored ? 200 : 409)),
    );
  });
});

describe('POST /api/usage/track/dry-run', () => {
  const dryRun = (body: unknown) => service.post('/api/usage/track/dry-run', body);

  it('says what tracking would do and stores nothing', async () => {
    const sent = newEvent();
    for (let round = 0; round < 2; round += 1) {
      expect(await dryRun(sent)).toMatchObject({
        status: 200,
        body: { accepted: true, stored: false, idempotency: 'new' },
      });
    }
    expect((await track(sent)).body).toMatchObject({ duplicate: false });
    expect((await dryRun(sent)).body).toMatchObject({ idempotency: 'duplicate' });
    expect((await dryRun({ ...sent, source: 'x' })).body).toMatchObject({
      idempotency: 'conflict',
    });
  });

  it('needs no idempotency key', async () => {
    const { idempotencyKey: _key, ...sent } = newEvent();
    expect((await dryRun(sent)).body).toMatchObject({ accepted: true, idempotency: 'none' });
  });
});

describe('the service', () => {
  it('says that it is alive and ready, each engine by name', async () => {
    expect(await service.get('/healthz')).toMatchObject({ status: 200, body: { alive: true } });
    expect(await service.get('/readyz')).toMatchObject({
      status: 200,
      body: {
        checks: { postgres: { up: true }, clickhouse: { up: true }, event_log: { up: true } },
      },
    });
  });

  it('answers an unknown address with a problem', async () => {
    expect(await service.get('/nothing')).toMatchObject({
      status: 404,
      body: { code: 'not_found', instance: '/nothing' },
    });
  });
});
