import { describe, expect, it } from '@jest/globals';
import { demoEvents } from './demo-events.js';
import { demo_tools, demo_tools_published } from './demo-tools.js';

const today = '2026-05-01';
const events = demoEvents(today);

describe('the events of the demo', () => {
  it('are the same for the same day, each under a key of its own', () => {
    expect(demoEvents(today)).toEqual(events);
    expect(new Set(events.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(events.length);
  });

  it('are some ten thousands of the ninety days before', () => {
    expect(events.length).toBeGreaterThan(20_000);
    expect(events.length).toBeLessThan(40_000);
    const times = events.map(({ occurredAt }) => occurredAt);
    expect([...times].sort()).toEqual(times);
    expect(times[0]! >= '2026-01-31').toBe(true);
    expect(times.at(-1)! < today).toBe(true);
  });

  it('pass the publication rules for most tools and fail them for three', () => {
    const month = events.filter(({ occurredAt }) => occurredAt >= '2026-04-02');
    const passing = demo_tools.filter(({ slug }) => {
      const own = month.filter(({ product }) => product.id === slug);
      const accountOf = new Map(own.map((event) => [event.developer_id, event.account_domain]));
      const sizes = new Map<string, number>();
      for (const account of accountOf.values()) sizes.set(account, (sizes.get(account) ?? 0) + 1);
      const largest = Math.max(...sizes.values());
      return accountOf.size >= 20 && sizes.size >= 5 && largest * 2 <= accountOf.size;
    });
    expect(passing).toHaveLength(demo_tools_published);
    expect(demo_tools).toHaveLength(14);
  });
});
