import { describe, expect, it } from '@jest/globals';
import { Histogram, Registry, type Metric } from 'prom-client';
import { RequestDurations } from './request-durations.js';

const bounds = [0.001, 0.25, 2.5];

/** The text of the same observations by the histogram of prom-client. */
async function generalText(observed: readonly (readonly [string, number, string, number])[]) {
  const registry = new Registry();
  const histogram = new Histogram({
    name: 'uptake_http_request_seconds',
    help: 'Time from the header of a request to the end of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: bounds,
    registers: [registry],
  });
  for (const [route, status, method, seconds] of observed) {
    histogram.observe({ method, route, status }, seconds);
  }
  return registry.metrics();
}

describe('the durations of requests', () => {
  it('are shown as a histogram of prom-client shows them', async () => {
    const observed = [
      ['/one', 200, 'GET', 0.001],
      ['/one', 200, 'GET', 0.0011],
      ['/one', 304, 'GET', 7],
      ['/other/:id', 200, 'GET', 2],
      ['/one', 200, 'HEAD', 0.25],
      ['/one', 200, 'GET', 2.6],
    ] as const;
    const registry = new Registry();
    const durations = new RequestDurations(bounds);
    registry.registerMetric(durations as unknown as Metric);
    for (const [route, status, method, seconds] of observed) {
      durations.observe({ method, route, status }, seconds);
    }
    expect(await registry.metrics()).toBe(await generalText(observed));
  });
});
