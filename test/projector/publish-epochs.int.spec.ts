import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import type { AdoptionPeriod } from '#domain/adoption/period.js';
import { latestEpoch } from '#postgres/publication/published-epochs.js';
import { PublicationRequests } from '#postgres/publication/publication-requests.js';
import { AdoptionRowsReader } from '#read-models/adoption-rows/adoption-rows.reader.js';
import { armFaultPoint } from '#runtime/fault-points.js';
import type { Publisher } from '../../apps/projector/src/publication/publisher.js';
import { first_version } from '../support/first-version.js';
import {
  acceptedEvent,
  cohortOf,
  daysAgo,
  openProjectorWorld,
  small_terms,
  type ProjectorWorld,
} from './projector-world.js';

async function publishedRow(
  world: ProjectorWorld,
  slug: string,
  period: AdoptionPeriod = '30d',
): Promise<AdoptionRow | undefined> {
  const latest = await latestEpoch(world.database.manager);
  const reader = new AdoptionRowsReader(world.clickhouse);
  const snapshot = await reader.snapshot(latest!);
  return snapshot?.get(period)?.find(({ tool }) => tool.slug === slug);
}

/** Developers as published; the cohorts of this file are multiples of five. */
const developersOf = (row: AdoptionRow | undefined) => row?.metrics?.developers.value;

let world: ProjectorWorld;
let productId: string;

beforeEach(async () => {
  world = await openProjectorWorld();
  ({ productId } = await world.addTool('alpha'));
});
afterEach(() => world.close());

const project = async (...batches: Parameters<ProjectorWorld['accept']>) => {
  await world.accept(...batches);
  await world.deliverAll();
};
/** Asks for an epoch and publishes as soon as the request is seen. */
async function onRequest(publisher: Publisher): Promise<number> {
  const answered = new PublicationRequests(world.database).publish(20_000);
  while ((await publisher.publish()).kind === 'not_due') await pause();
  return answered;
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('an epoch', () => {
  it('counts each developer of a tool once, over products, accounts and days', async () => {
    const other = await world.addTool('beta');
    await world.database.query('update product set tool_id = $1 where id = $2', [
      (await world.database.query('select tool_id from product where id = $1', [productId]))[0]
        .tool_id,
      other.productId,
    ]);
    await project([
      ...cohortOf(productId, 10, 5),
      ...cohortOf(productId, 10, 5, { occurredAt: daysAgo(3), eventFamily: 'retention' }),
      ...cohortOf(other.productId, 3, 2),
    ]);
    expect(await world.publisher().publish()).toMatchObject({ kind: 'published', epoch: 1 });
    const row = await publishedRow(world, 'alpha');
    expect(row?.metrics).toMatchObject({
      developers: { value: 10 },
      accounts: { value: 5 },
      activatedDevelopers: { value: 10 },
    });
    expect((await publishedRow(world, 'beta'))?.status).toBe('insufficient_data');
  });

  it('separates who activated from who did not, and one label from another', async () => {
    await project([
      ...cohortOf(productId, 10, 5),
      ...Array.from({ length: 10 }, (_, index) =>
        acceptedEvent(productId, 100 + index, { account: 1 + (index % 5), eventFamily: 'intent' }),
      ),
      ...cohortOf(productId, 40, 5, { evidence: 'sample' }),
    ]);
    await world.publisher().publish();
    const row = await publishedRow(world, 'alpha');
    expect(row?.metrics?.developers.value).toBe(20);
    expect(row?.metrics?.activatedDevelopers?.value).toBe(10);
    expect(row?.evidence.map(({ label, metrics }) => [label, metrics?.developers.value])).toEqual([
      ['first_party', 20],
      ['sample', 40],
    ]);
  });

  it('counts the last days of the period, today included, and nothing else', async () => {
    await project([
      ...cohortOf(productId, 5, 5),
      ...Array.from({ length: 5 }, (_, index) =>
        acceptedEvent(productId, 100 + index, { account: index + 1, occurredAt: daysAgo(6) }),
      ),
      ...Array.from({ length: 5 }, (_, index) =>
        acceptedEvent(productId, 200 + index, { account: index + 1, occurredAt: daysAgo(7) }),
      ),
      ...Array.from({ length: 10 }, (_, index) =>
        acceptedEvent(productId, 300 + index, { account: index + 1, occurredAt: daysAgo(30) }),
      ),
    ]);
    await world.publisher().publish();
    expect(developersOf(await publishedRow(world, 'alpha', '7d'))).toBe(10);
    expect(developersOf(await publishedRow(world, 'alpha', '30d'))).toBe(15);
    expect(developersOf(await publishedRow(world, 'alpha', '90d'))).toBe(25);
  });

  it('is the same however often the log was read, in large or in small batches', async () => {
    await project(cohortOf(productId, 30, 6));
    const clock = () => new Date('2026-01-01T00:00:00Z');
    const terms = { ...small_terms, intervalMs: 0 };
    const checksums: string[] = [];
    for (const batchRecordsMax of [500, 3]) {
      await world.deliverAll(batchRecordsMax);
      await onRequest(world.publisher(terms, clock));
      const latest = await latestEpoch(world.database.manager);
      checksums.push(latest!.checksum);
      await world.database.query('delete from published_epoch');
    }
    expect(checksums[0]).toBe(checksums[1]);
  });

  it('takes late events in with the next epoch, and never changes a former one', async () => {
    await project(cohortOf(productId, 10, 5));
    await world.publisher().publish();
    const first = await latestEpoch(world.database.manager);
    const reader = new AdoptionRowsReader(world.clickhouse);
    const before = await reader.snapshot(first!);
    expect(before).not.toBeNull();
    await project(
      Array.from({ length: 5 }, (_, index) =>
        acceptedEvent(productId, 50 + index, { account: index + 1, occurredAt: daysAgo(20) }),
      ),
    );
    expect(developersOf(await publishedRow(world, 'alpha'))).toBe(10);
    await pause();
    expect(await world.publisher().publish()).toMatchObject({ kind: 'published', epoch: 2 });
    expect(developersOf(await publishedRow(world, 'alpha'))).toBe(15);
    expect(await reader.snapshot(first!)).toEqual(before);
  });

  it('tells how the rank moved since the epoch before', async () => {
    const beta = await world.addTool('beta');
    await project([...cohortOf(productId, 10, 5), ...cohortOf(beta.productId, 20, 5)]);
    await world.publisher().publish();
    await project(cohortOf(productId, 40, 5));
    await pause();
    await world.publisher().publish();
    const row = await publishedRow(world, 'alpha');
    expect([row?.rank, row?.trend]).toEqual([1, { previousEpochRank: 2, change: 1 }]);
  });

  it('drops the figures of a day whose events are gone', async () => {
    await project(cohortOf(productId, 10, 5, { occurredAt: daysAgo(2) }));
    await world.publisher().publish();
    await world.clickhouse.run('TRUNCATE TABLE usage_events_v1');
    const day = daysAgo(2).slice(0, 10);
    await world.database.query('insert into dirty_day (read_model, day) values ($1, $2)', [
      first_version.daysModel,
      day,
    ]);
    await pause();
    await world.publisher().publish();
    expect((await publishedRow(world, 'alpha'))?.status).toBe('insufficient_data');
  });
});

describe('a snapshot', () => {
  it('is not shown when a row of it is gone', async () => {
    await project(cohortOf(productId, 10, 5));
    await world.publisher().publish();
    const latest = await latestEpoch(world.database.manager);
    const reader = new AdoptionRowsReader(world.clickhouse);
    expect(await reader.snapshot(latest!)).not.toBeNull();
    await world.clickhouse.run('ALTER TABLE adoption_rows DROP PARTITION 1');
    expect(await reader.snapshot(latest!)).toBeNull();
    await pause();
    await world.addTool('beta');
    expect(await world.publisher().publish()).toMatchObject({ kind: 'published', epoch: 2 });
  });
});

describe('when an epoch is published', () => {
  it('waits for the interval and for something new', async () => {
    const publisher = world.publisher({ ...small_terms, intervalMs: 60_000 });
    expect(await publisher.publish()).toEqual({ kind: 'unchanged' });
    await project(cohortOf(productId, 10, 5));
    expect(await publisher.publish()).toMatchObject({ kind: 'published' });
    expect(await publisher.publish()).toEqual({ kind: 'not_due' });
    await pause();
    expect(await world.publisher().publish()).toEqual({ kind: 'unchanged' });
    await world.addTool('beta');
    expect(await world.publisher().publish()).toMatchObject({ kind: 'published', epoch: 2 });
  });

  it('moves the window when the UTC day has changed', async () => {
    await project(cohortOf(productId, 10, 5));
    await world.publisher().publish();
    const tomorrow = () => new Date(Date.now() + 86_400_000);
    expect(await world.publisher(small_terms, tomorrow).publish()).toMatchObject({ epoch: 2 });
  });

  it('answers a request at once, even when nothing is new', async () => {
    const terms = { ...small_terms, intervalMs: 0 };
    for (const epoch of [1, 2]) expect(await onRequest(world.publisher(terms))).toBe(epoch);
    expect(await world.publisher(terms).publish()).toEqual({ kind: 'not_due' });
  });

  it('lets one process publish at a time', async () => {
    await project(cohortOf(productId, 10, 5));
    const outcomes = await Promise.all([world.publisher().publish(), world.publisher().publish()]);
    const kinds = outcomes.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'published')).toHaveLength(1);
  });

  it('keeps a bounded number of epochs', async () => {
    await world.database.query(
      `insert into published_epoch
       select n, now(), now(), null, 'none', 'none', 'v', '{}' from generate_series(1, 60) n`,
    );
    await world.clickhouse.run(
      `INSERT INTO adoption_rows (epoch, checksum, period, position)
       SELECT number, 'none', '7d', 0 FROM numbers(1, 60)`,
    );
    await project(cohortOf(productId, 10, 5));
    await pause();
    expect(await world.publisher().publish()).toMatchObject({ epoch: 61 });
    const kept = await world.clickhouse.rows<{ epoch: string }>(
      'SELECT DISTINCT toString(epoch) AS epoch FROM adoption_rows ORDER BY toUInt64(epoch)',
    );
    const [pointers] = await world.database.query('select count(*)::int as n from published_epoch');
    expect([kept.length, kept[0]?.epoch, pointers.n]).toEqual([40, '22', 40]);
  });
});

describe('a publisher that dies before the pointer is set', () => {
  it('has published nothing, and the next run publishes what is true then', async () => {
    let strikes = 0;
    armFaultPoint('publisher_after_rows', () => {
      strikes += 1;
      if (strikes === 1) throw new Error('struck');
    });
    await project(cohortOf(productId, 10, 5));
    await expect(world.publisher().publish()).rejects.toThrow('struck');
    expect(await latestEpoch(world.database.manager)).toBeNull();
    await project(cohortOf(productId, 20, 5));
    expect(await world.publisher().publish()).toMatchObject({ kind: 'published', epoch: 1 });
    expect(developersOf(await publishedRow(world, 'alpha'))).toBe(20);
  });
});
