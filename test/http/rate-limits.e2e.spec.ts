import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newCredential } from '#domain/credentials/credential.js';
import { newEvent } from '../support/tracking-events.js';
import { startApiUnderTest, type ApiUnderTest } from './api-under-test.js';

// Windows so long that no spec sees one end.
const limits = { RATE_LIMIT_PUBLIC_READ: '40/86400', RATE_LIMIT_TRACKING: '60/86400' };

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest({ ...limits, TRUSTED_PROXY_HOPS: '1' });
});
afterAll(() => api.stop());

let addresses = 0;
const newAddress = () => `203.0.113.${(addresses += 1)}`;

const readAs = (address: string, headers: Record<string, string> = {}, instance = api) =>
  fetch(`${instance.baseUrl}/api/v1/adoption`, {
    headers: { 'x-forwarded-for': address, ...headers },
  });

const remaining = (answer: Response) => Number(answer.headers.get('x-ratelimit-remaining'));

const post = (path: string, body: unknown, key: string, address = newAddress()) =>
  track(api.baseUrl + path, body, key, address);

const track = (url: string, body: unknown, key: string, address: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-forwarded-for': address,
    },
    body: JSON.stringify(body),
  });

describe('every answer of a limited endpoint', () => {
  it('tells in both header families where the caller stands', async () => {
    const { headers } = await readAs(newAddress());
    expect(headers.get('ratelimit-policy')).toBe('"public-read";q=40;w=86400');
    expect(headers.get('ratelimit')).toMatch(/^"public-read";r=39;t=\d+$/);
    expect(headers.get('x-ratelimit-limit')).toBe('40');
    expect(headers.get('x-ratelimit-remaining')).toBe('39');
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.now() / 1000);
  });

  it('names the limit in the body, which is the same for every caller', async () => {
    const [one, other] = [await readAs(newAddress()), await readAs(newAddress())];
    expect(one.headers.get('etag')).toBe(other.headers.get('etag'));
    expect(await one.json()).toMatchObject({
      rateLimit: { policy: 'public-read', limit: 40, unit: 'requests', windowSeconds: 86400 },
    });
  });

  it('does so on errors as well', async () => {
    const unauthorized = await post('/api/usage/track', {}, 'trk_nonsense');
    expect(unauthorized.status).toBe(401);
    expect(unauthorized.headers.get('ratelimit-policy')).toBe(
      '"tracking";q=60;qu="events";w=86400',
    );
    expect(unauthorized.headers.get('retry-after')).toBeNull();
  });
});

describe('a caller who asks too often', () => {
  it('gets 429 with Retry-After after exactly the limit, and others go on', async () => {
    const address = newAddress();
    const statuses: number[] = [];
    for (let sent = 0; sent < 40; sent += 1) statuses.push((await readAs(address)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const refused = await readAs(address);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/r=0;/);
    expect(refused.headers.get('cache-control')).toBe('no-store');
    expect(await refused.json()).toMatchObject({
      code: 'rate_limited',
      policy: 'public-read',
      limit: 40,
    });
    expect((await readAs(newAddress())).status).toBe(200);
  });

  it('pays nothing for what it has already (304)', async () => {
    const address = newAddress();
    const first = await readAs(address);
    const etag = first.headers.get('etag')!;
    for (let sent = 0; sent < 50; sent += 1) {
      const again = await readAs(address, { 'if-none-match': etag });
      expect([again.status, remaining(again)]).toEqual([304, 39]);
    }
  });

  it('is the nearest address in front of the trusted proxies, whatever it claims', async () => {
    const address = newAddress();
    const spoofed = await readAs(`198.51.100.1, ${address}`);
    expect(remaining(spoofed)).toBe(39);
    expect(remaining(await readAs(`198.51.100.2, ${address}`))).toBe(38);
  });

  it('is a whole network with IPv6', async () => {
    await readAs('2001:db8:7:1::1');
    expect(remaining(await readAs('2001:db8:7:1:ffff::2'))).toBe(38);
    expect(remaining(await readAs('2001:db8:7:2::1'))).toBe(39);
  });
});

describe('tracking', () => {
  it('is counted per key, whatever the address', async () => {
    const first = await post('/api/usage/track', newEvent(), api.trackingKey);
    const second = await post('/api/usage/track', newEvent(), api.trackingKey);
    expect(remaining(first) - remaining(second)).toBe(1);
    expect(first.headers.get('x-ratelimit-limit')).toBe('60');
  });

  it('is counted per address for keys that nobody issued, and they open no accounts', async () => {
    const address = newAddress();
    for (const left of [59, 58, 57]) {
      const answer = await post('/api/usage/track', {}, newCredential('trackingKey'), address);
      expect([answer.status, remaining(answer)]).toEqual([401, left]);
    }
  });

  it('gives back to the address what a key turns out to pay itself', async () => {
    const other = await startApiUnderTest({ ...limits, TRUSTED_PROXY_HOPS: '1' });
    try {
      const address = newAddress();
      const url = `${other.baseUrl}/api/usage/track`;
      const first = await track(url, newEvent(), other.trackingKey, address);
      expect([first.status, remaining(first)]).toEqual([200, 59]);
      expect(remaining(await track(url, {}, 'trk_nonsense', address))).toBe(59);
      expect(remaining(await track(url, newEvent(), other.trackingKey, address))).toBe(58);
    } finally {
      await other.stop();
    }
  });
});

describe('two instances', () => {
  it('admit no more than the limit and a head start each', async () => {
    const other = await startApiUnderTest({ ...limits, TRUSTED_PROXY_HOPS: '1' }, api);
    try {
      const address = newAddress();
      let admitted = 0;
      for (let sent = 0; sent < 80; sent += 1) {
        const { status } = await readAs(address, {}, sent % 2 === 0 ? api : other);
        if (status === 200) admitted += 1;
      }
      const headStart = 1;
      expect(admitted).toBeGreaterThanOrEqual(40);
      expect(admitted).toBeLessThanOrEqual(40 + 2 * headStart);
    } finally {
      await other.stop();
    }
  });
});
