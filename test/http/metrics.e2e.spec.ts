import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { metricsText } from '#runtime/metrics.js';
import { startProbeServer } from '#runtime/probe-server.js';
import { eventually } from '../support/eventually.js';
import { startSpecService } from '../support/service.js';
import { newEvent } from '../support/tracking-events.js';
import { startApiUnderTest, type ApiUnderTest } from './api-under-test.js';

let api: ApiUnderTest;
beforeAll(async () => {
  api = await startApiUnderTest({ RATE_LIMIT_PUBLIC_READ: '1/86400' });
});
afterAll(() => api.stop());

async function scrape(): Promise<string> {
  const answer = await fetch(`${api.baseUrl}/metrics`);
  expect(answer.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  return answer.text();
}

describe('GET /metrics', () => {
  it('times requests by route and status, never by the address that was asked for', async () => {
    await fetch(`${api.baseUrl}/api/usage/track`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${api.trackingKey}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(newEvent()),
    });
    await fetch(`${api.baseUrl}/invented-address`);
    await fetch(`${api.baseUrl}/problems/not_found`);
    const text = await scrape();
    const name = 'uptake_http_request_seconds_count';
    expect(text).toContain(`${name}{method="POST",route="/api/usage/track",status="200"} 1`);
    expect(text).toContain(`${name}{method="GET",route="unmatched",status="404"} 1`);
    expect(text).toContain(`${name}{method="GET",route="/problems/:code",status="200"} 1`);
    expect(text).not.toContain('invented-address');
  });

  it('counts refusals by policy', async () => {
    await fetch(`${api.baseUrl}/api/v1/adoption`);
    expect((await fetch(`${api.baseUrl}/api/v1/adoption`)).status).toBe(429);
    expect(await scrape()).toContain('uptake_rate_limited_total{policy="public-read"} 1');
  });

  it('knows the process', async () => {
    expect(await scrape()).toMatch(/^process_resident_memory_bytes \d/m);
  });
});

describe('an app without an API', () => {
  it('shows its metrics beside its probes', async () => {
    const probes = await startProbeServer(0, '127.0.0.1', {});
    try {
      const answer = await fetch(`http://127.0.0.1:${probes.port}/metrics`);
      expect(answer.status).toBe(200);
      const names = (text: string) => text.match(/^# HELP \S+/gm);
      expect(names(await answer.text())).toEqual(names(await metricsText()));
    } finally {
      await probes.stop();
    }
  });
});

describe('the projector', () => {
  it('shows how far behind it is, and how old events are when they arrive', async () => {
    const service = await startSpecService({ PROBE_PORT: '0', BATCH_THREADS: '0' });
    try {
      await service.startClerk();
      await service.startProjector();
      await service.post('/api/usage/track', newEvent());
      const text = await eventually(metricsText, (metrics) =>
        /^uptake_delay_seconds_count\{leg="received_to_projected"\} [1-9]/m.test(metrics),
      );
      const lag = 'uptake_consumer_lag_records{group="projector-usage-v1"';
      expect(text.split('\n').filter((line) => line.startsWith(lag))).toHaveLength(6);
    } finally {
      await service.stop();
    }
  });
});
