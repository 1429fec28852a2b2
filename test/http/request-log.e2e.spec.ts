import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { newEvent } from '../support/tracking-events.js';
import { startApiUnderTest, type ApiUnderTest } from './api-under-test.js';

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest();
});
afterAll(() => api.stop());

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

const linesOf = (requestId: string) =>
  eventually(
    async () => api.logged().filter((line) => line['requestId'] === requestId),
    (lines) => lines.length > 0,
  );

describe('the log', () => {
  it('has one line per request, with its id, its trace and how it ended', async () => {
    const path = '/api/v1/adoption?period=7d';
    await fetch(api.baseUrl + path, { headers: { 'x-request-id': 'log-spec-0001', traceparent } });
    expect(await linesOf('log-spec-0001')).toEqual([
      expect.objectContaining({
        level: 30,
        msg: 'request',
        method: 'GET',
        path: '/api/v1/adoption',
        status: 200,
        traceparent,
        durationMs: expect.any(Number),
      }),
    ]);
  });

  it('names the code of a problem', async () => {
    const headers = { 'x-request-id': 'log-spec-0002' };
    await fetch(`${api.baseUrl}/api/v1/adoption?limit=x`, { headers });
    expect(await linesOf('log-spec-0002')).toMatchObject([{ status: 400, code: 'invalid_query' }]);
  });

  it('takes no trace that is not well formed', async () => {
    const headers = { 'x-request-id': 'log-spec-0003', traceparent: `ff${traceparent.slice(2)}` };
    await fetch(`${api.baseUrl}/api/v1/adoption`, { headers });
    expect(await linesOf('log-spec-0003')).toMatchObject([{ traceparent: null }]);
  });

  it('calls probes not worth more than debug', async () => {
    await fetch(`${api.baseUrl}/healthz`, { headers: { 'x-request-id': 'log-spec-0004' } });
    expect(await linesOf('log-spec-0004')).toMatchObject([{ level: 20 }]);
  });

  it('holds no key, no query and no body', async () => {
    const headers = {
      'x-request-id': 'log-spec-0005',
      authorization: `Bearer ${api.trackingKey}`,
      cookie: 'session=cookie-of-the-spec',
      'content-type': 'application/json',
    };
    const event = newEvent({ email: 'somebody@customer.example', event_name: 'NOT_KNOWN_AT_ALL' });
    await fetch(`${api.baseUrl}/api/usage/track?token=query-of-the-spec`, {
      method: 'POST',
      headers,
      body: JSON.stringify(event),
    });
    await linesOf('log-spec-0005');
    for (const secret of [
      api.trackingKey,
      'cookie-of-the-spec',
      'query-of-the-spec',
      'somebody@customer.example',
    ]) {
      expect(api.logText()).not.toContain(secret);
    }
  });
});
