import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;
beforeAll(async () => {
  service = await startSpecService({ BATCH_THREADS: '0', RATE_LIMIT_PUBLIC_READ: '100/86400' });
  for (const slug of ['second', 'third']) {
    await service.directory.createTool({ slug, name: slug, categorySlug: 'agents' });
  }
  await service.startProjector();
  await service.publish();
  await eventually(
    () => service.get('/api/v1/adoption'),
    ({ body }) => body['total'] === 3,
  );
});
afterAll(() => service.stop());

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** By node:http, which shows every header field as it came. */
function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(service.baseUrl + path, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** What two answers to the same request may differ in. */
const passing = ['date', 'ratelimit', 'x-ratelimit-remaining', 'x-request-id'];

function lasting({ status, headers, body }: Answer) {
  const kept = Object.entries(headers).filter(([name]) => !passing.includes(name));
  return { status, headers: Object.fromEntries(kept.sort()), body };
}

const remaining = ({ headers }: Answer) => Number(headers['x-ratelimit-remaining']);

let queries = 0;
/** An address that nobody has asked for: unknown parameters are ignored. */
const newAddress = (path = '/api/v1/adoption') => `${path}?period=7d&ignored=${(queries += 1)}`;

describe('a page that is in memory', () => {
  it.each([
    ['GET', '/api/v1/adoption', {}],
    ['HEAD', '/api/v1/adoption', {}],
    ['GET', '/api/v1/agent-rank', {}],
    ['GET', '/api/v1/adoption', { origin: 'https://elsewhere.example', connection: 'close' }],
    ['GET', '/api/v1/adoption', { accept: 'text/csv' }],
    ['HEAD', '/api/v1/adoption', { accept: 'text/csv' }],
    ['GET', '/api/v1/adoption', { accept: 'text/csv', 'if-none-match': '*' }],
    ['GET', '/api/v1/adoption', { 'if-none-match': '"another"' }],
    ['GET', '/api/v1/adoption', { 'if-none-match': 'W/"another", *' }],
    ['GET', '/api/v1/adoption', { 'if-none-match': '*' }],
  ])('is answered as it was when it was rendered: %s %s %j', async (method, path, headers) => {
    const address = newAddress(path);
    const first = await ask(address, headers, method);
    const again = await ask(address, headers, method);
    expect(lasting(again)).toEqual(lasting(first));
    expect(Object.keys(again.headers).sort()).toEqual(Object.keys(first.headers).sort());
  });

  it.each(['application/json', 'text/csv'])('goes on with its cursor as %s', async (accept) => {
    const first = await ask(newAddress('/api/v1/agent-rank') + '&limit=1', { accept });
    const next = /<(\?[^>]+)>/.exec(String(first.headers['link']))![1]!;
    const address = `/api/v1/agent-rank${next}&ignored=${(queries += 1)}`;
    const second = await ask(address, { accept });
    const again = await ask(address, { accept });
    expect(lasting(again)).toEqual(lasting(second));
    expect([second.status, second.body === first.body]).toEqual([200, false]);
    expect(second.headers['link']).toMatch(/rel="next"$/);
  });

  it('is not sent to who accepts none of its forms', async () => {
    const address = newAddress();
    const shown = await ask(address);
    expect((await ask(address, { accept: 'text/html' })).status).toBe(406);
    const table = await ask(address, { accept: 'text/csv' });
    expect(table.headers['etag']).not.toBe(shown.headers['etag']);
    const refused = { accept: 'text/html', 'if-none-match': String(shown.headers['etag']) };
    expect((await ask(address, refused)).status).toBe(406);
  });

  it('costs one unit each time, and nothing when the client has it', async () => {
    const address = newAddress();
    const first = await ask(address);
    const again = await ask(address);
    expect(remaining(again)).toBe(remaining(first) - 1);
    const unchanged = await ask(address, { 'if-none-match': String(again.headers['etag']) });
    expect([unchanged.status, unchanged.body, remaining(unchanged)]).toEqual([
      304,
      '',
      remaining(again),
    ]);
  });

  it('carries the id of its request', async () => {
    const address = newAddress();
    await ask(address);
    const named = await ask(address, { 'x-request-id': 'ready-read-0001' });
    expect(named.headers['x-request-id']).toBe('ready-read-0001');
    const unnamed = await ask(address, { 'x-request-id': 'not one' });
    expect(unnamed.headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
  });

  it('is not what a look-alike of its address gets', async () => {
    await ask('/api/v1/adoption#?limit=3');
    expect(JSON.parse((await ask('/api/v1/adoption?limit=3')).body)).toMatchObject({
      page: { limit: 3 },
    });
    expect((await ask('/api/v1/adoption/')).status).toBe(404);
    expect((await ask('/api/v1/adoption', {}, 'POST', '{}')).status).toBe(405);
  });

  it('is not shown any more once another epoch is published', async () => {
    const address = newAddress();
    const before = await ask(address);
    expect((await ask(address)).headers['etag']).toBe(before.headers['etag']);
    const epoch = await service.publish();
    const after = await eventually(
      () => ask(address, { connection: 'close' }),
      ({ headers }) => headers['etag'] !== before.headers['etag'],
    );
    expect(JSON.parse(after.body)).toMatchObject({ epoch });
  });

  it('is refused to who has used up the quota, with the limit in the answer', async () => {
    const address = newAddress();
    let answer = await ask(address);
    while (answer.status === 200) answer = await ask(address);
    expect(answer.status).toBe(429);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'rate_limited' });
    expect(remaining(answer)).toBe(0);
  });
});
