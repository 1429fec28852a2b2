import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openDatabase } from '#postgres/database.js';
import { QuotaStore } from '#postgres/rate-limits/quota-store.js';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { LeaseDesk } from '../../apps/api/src/rate-limits/lease-desk.js';
import { RateLimiter } from '../../apps/api/src/rate-limits/rate-limiter.js';
import { rateLimitPolicies } from '../../apps/api/src/rate-limits/rate-limit-policies.js';
import { specEnvironment } from '../support/service.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';

const limit = 1000;
const minute = 60_000;

let stores: SpecStores;
const open: QuotaStore[] = [];
beforeAll(async () => {
  stores = await createSpecStores();
  await (await openDatabase({ url: stores.databaseUrl, app: 'spec' })).destroy();
});
afterAll(async () => {
  for (const store of open) await store.close();
  await stores.drop();
});

/** One instance with a clock of its own; `databaseUrl` may lead nowhere. */
function newInstance(clock: { now: number }, databaseUrl = stores.databaseUrl) {
  const config = loadConfig({ ...specEnvironment(stores), RATE_LIMIT_INTAKE: `${limit}/60` });
  const store = new QuotaStore(databaseUrl);
  open.push(store);
  const desk = new LeaseDesk(store, config.identityPepper, createLogger('spec', 'silent'));
  return {
    store,
    desk,
    limiter: new RateLimiter(rateLimitPolicies(config), desk, () => clock.now),
  };
}

async function admittedOf(limiters: readonly RateLimiter[], caller: string, requests: number) {
  const answers = await Promise.all(
    Array.from({ length: requests }, (_, at) =>
      limiters[at % limiters.length]!.spend('intake', caller, 1),
    ),
  );
  return answers.filter((admitted) => admitted).length;
}

describe('instances with one store', () => {
  it('admit the limit together, and at most a head start more', async () => {
    const clock = { now: 10 * minute };
    const instances = Array.from({ length: 4 }, () => newInstance(clock));
    const limiters = instances.map(({ limiter }) => limiter);
    const admitted = await admittedOf(limiters, 'together', 3 * limit);
    expect(admitted).toBeGreaterThanOrEqual(limit);
    expect(admitted).toBeLessThanOrEqual(limit + 4 * (limit / 100));
  });

  it('begin anew with the next window, and keep callers apart', async () => {
    const clock = { now: 20 * minute };
    const { limiter } = newInstance(clock);
    expect(await admittedOf([limiter], 'one', limit + 5)).toBe(limit);
    expect(await admittedOf([limiter], 'other', 5)).toBe(5);
    clock.now += minute;
    expect(await admittedOf([limiter], 'one', 5)).toBe(5);
  });

  it('ask the store once for many requests', async () => {
    const clock = { now: 30 * minute };
    const { limiter, store } = newInstance(clock);
    let leases = 0;
    const lease = store.lease.bind(store);
    store.lease = (orders) => {
      leases += 1;
      return lease(orders);
    };
    for (let sent = 0; sent < limit; sent += 1) await limiter.spend('intake', 'often', 1);
    expect(leases).toBeGreaterThan(0);
    expect(leases).toBeLessThanOrEqual(limit / 25 + 1);
  });

  it('leave neither address nor key in the store', async () => {
    const clock = { now: 40 * minute };
    const { limiter, desk } = newInstance(clock);
    await limiter.spend('intake', 'address:203.0.113.77', 1);
    await desk.settled();
    const database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
    const rows = await database.query<{ row: string }[]>(
      'select quota::text as row from rate_limit_quota as quota',
    );
    await database.destroy();
    const hex = Buffer.from('203.0.113.77').toString('hex');
    expect(rows.length).toBeGreaterThan(0);
    for (const { row } of rows) expect(row).not.toMatch(new RegExp(`203\\.0\\.113\\.77|${hex}`));
  });

  it('sweep windows that are over', async () => {
    const { store, limiter, desk } = newInstance({ now: 50 * minute });
    await limiter.spend('intake', 'long ago', 1);
    await desk.settled();
    await store.removeExpired();
    const database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
    const rows = await database.query<object[]>('select 1 from rate_limit_quota');
    await database.destroy();
    expect(rows).toEqual([]);
  });
});

describe('an instance whose store is away', () => {
  it('goes on alone, up to the limit and no further', async () => {
    const { limiter } = newInstance({ now: 60 * minute }, 'postgres://127.0.0.1:1/nowhere');
    expect(await admittedOf([limiter], 'alone', 2 * limit)).toBe(limit);
  });
});
