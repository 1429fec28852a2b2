import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { showBodyBytes } from '#runtime/metrics.js';
import { startProbeServer } from '#runtime/probe-server.js';
import { answers } from '#runtime/readiness.js';
import { startApiUnderTest, type ApiUnderTest } from './api-under-test.js';

const asked = async (url: string) => {
  const answer = await fetch(url);
  return { status: answer.status, body: await answer.json() };
};

describe('the probes of an app without an API', () => {
  let probes: Awaited<ReturnType<typeof startProbeServer>>;
  let baseUrl: string;
  let away = false;

  beforeEach(async () => {
    away = false;
    probes = await startProbeServer(0, '127.0.0.1', {
      postgres: answers(async () => {
        if (away) throw new Error('connect ECONNREFUSED 10.1.2.3:5432');
      }),
    });
    baseUrl = `http://127.0.0.1:${probes.port}`;
  });
  afterEach(() => probes.stop());

  it('say that it lives, and that it is ready, whatever the query is', async () => {
    for (const path of ['/healthz', '/healthz?x']) {
      expect(await asked(baseUrl + path)).toEqual({ status: 200, body: { alive: true } });
    }
    const body = { ready: true, checks: { postgres: { up: true, detail: 'answers' } } };
    for (const path of ['/readyz', '/readyz?x']) {
      expect(await asked(baseUrl + path)).toEqual({ status: 200, body });
    }
    expect((await fetch(`${baseUrl}/nothing`)).status).toBe(404);
  });

  it('say 503 while an engine is away, and not where it is', async () => {
    away = true;
    const body = { ready: false, checks: { postgres: { up: false, detail: 'unreachable' } } };
    expect(await asked(`${baseUrl}/readyz`)).toEqual({ status: 503, body });
  });

  it('answer 500 to a scrape that fails, and go on', async () => {
    showBodyBytes(() => {
      throw new Error('no figure');
    });
    expect(await asked(`${baseUrl}/metrics`)).toMatchObject({ status: 500 });
    showBodyBytes(() => 0);
    expect((await fetch(`${baseUrl}/metrics`)).status).toBe(200);
  });
});

describe('the probes of the API', () => {
  let api: ApiUnderTest;
  beforeAll(async () => {
    api = await startApiUnderTest();
  });
  afterAll(() => api.stop());

  it('have the same form', async () => {
    expect(await asked(`${api.baseUrl}/readyz`)).toEqual({
      status: 200,
      body: {
        ready: true,
        checks: {
          postgres: { up: true, detail: 'answers' },
          clickhouse: { up: true, detail: expect.any(String) },
          event_log: { up: true, detail: expect.any(String) },
        },
      },
    });
  });
});
