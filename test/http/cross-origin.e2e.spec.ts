import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newEvent } from '../support/tracking-events.js';
import { startApiUnderTest, type ApiUnderTest } from './api-under-test.js';

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(() => api.stop());

const origin = 'https://shop.example';
const corsHeaders = (headers: Headers) =>
  [...headers.keys()].filter((name) => name.startsWith('access-control-'));

const preflight = (path: string, method: string) =>
  fetch(api.baseUrl + path, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': method },
  });

describe('a public read', () => {
  it.each(['/api/v1/adoption', '/api/v1/agent-rank', '/problems/not_found', '/openapi.json'])(
    '%s may be read by every page, without credentials',
    async (path) => {
      const { headers } = await fetch(api.baseUrl + path, { headers: { origin } });
      expect(headers.get('access-control-allow-origin')).toBe('*');
      expect(headers.get('access-control-allow-credentials')).toBeNull();
      for (const name of ['RateLimit', 'RateLimit-Policy', 'X-RateLimit-Remaining', 'ETag']) {
        expect(headers.get('access-control-expose-headers')).toContain(name);
      }
    },
  );

  it('may be read when it is an error, too', async () => {
    const { status, headers } = await fetch(`${api.baseUrl}/api/v1/adoption?limit=0`);
    expect(status).toBe(400);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('grants a preflight for reading and for nothing else', async () => {
    const { status, headers } = await preflight('/api/v1/adoption', 'GET');
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-methods')).toBe('GET, HEAD, OPTIONS');
    expect(headers.get('access-control-allow-headers')).not.toContain('Authorization');
  });
});

describe('tracking', () => {
  it.each(['/api/usage/track', '/api/usage/track/batch', '/api/usage/track/dry-run'])(
    'grants no preflight at %s',
    async (path) => {
      const { status, headers } = await preflight(path, 'POST');
      expect(status).toBe(204);
      expect(corsHeaders(headers)).toEqual([]);
      expect(headers.get('allow')).toBe('POST, OPTIONS');
    },
  );

  it('lets no page read its answers', async () => {
    const { headers } = await fetch(`${api.baseUrl}/api/usage/track`, {
      method: 'POST',
      headers: {
        origin,
        authorization: `Bearer ${api.trackingKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(newEvent()),
    });
    expect(corsHeaders(headers)).toEqual([]);
  });
});
