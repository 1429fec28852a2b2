import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import { usageAcceptedTopic } from '#contracts/topics.js';
import type { EventFamily } from '#domain/usage/event-catalogue.js';
import type { LogRecord } from '#event-log/event-log.js';
import { latestEpoch } from '#postgres/publication/published-epochs.js';
import { PublicationRequests } from '#postgres/publication/publication-requests.js';
import { readModelTables } from '#read-models/tables.js';
import { armFaultPoint, type FaultPoint } from '#runtime/fault-points.js';
import { first_version } from '../support/first-version.js';
import { SeededRandom } from '../support/seeded-random.js';
import {
  acceptedEvent,
  openProjectorWorld,
  small_terms,
  type ProjectorWorld,
} from './projector-world.js';

const day_ms = 86_400_000;
const today = Date.now() - (Date.now() % day_ms);
const epochs = 3;
const terms = {
  intervalMs: 0,
  policy: { ...small_terms.policy, minDifferenceDevelopers: 4, minDifferenceAccounts: 2 },
};

/** Noon of the day that an epoch ends with. */
const asOf = (epoch: number) => new Date(today - (epochs - epoch) * day_ms + day_ms / 2);

/** How a log is replayed; none of it may show. */
interface Replay {
  readonly batchRecords: number;
  readonly partitions: 'in order' | 'in reverse';
  /** The registry draws keys at random: another one would have drawn others. */
  readonly developerKey: (key: bigint) => bigint;
  /** Where the publisher is struck, once, in the second epoch. */
  readonly struckAt: FaultPoint | null;
}

const plain: Replay = {
  batchRecords: 500,
  partitions: 'in order',
  developerKey: (key) => key,
  struckAt: null,
};

let world: ProjectorWorld;
/** The first epoch that knows of an event, by its id. */
const epochOf = new Map<string, number>();
let records: readonly LogRecord[] = [];
let published: readonly string[] = [];

beforeAll(async () => {
  world = await openProjectorWorld();
  const products = await Promise.all(['alpha', 'beta', 'gamma'].map((slug) => world.addTool(slug)));
  const events = worldEvents(products.map(({ productId }) => productId));
  await world.accept(events);
  const read: LogRecord[] = [];
  for await (const batch of world.log.read(usageAcceptedTopic.name, { batchRecordsMax: 500 })) {
    read.push(...batch.records);
  }
  records = read;
  published = await replayed(plain);
});
afterAll(() => world.close());

/** A few hundred events of some weeks; a fifth of them are late by an epoch or two. */
function worldEvents(productIds: readonly string[]): UsageAccepted[] {
  const random = new SeededRandom(7);
  const families: readonly EventFamily[] = ['activation', 'retention', 'expansion', 'intent'];
  return Array.from({ length: 600 }, () => {
    const developer = random.below(90);
    const arrives = 1 + (random.below(10) < 6 ? 0 : random.below(epochs));
    const daysBefore = random.below(5) === 0 ? random.pick([9, 16, 24, 33]) : random.below(4) * 2;
    const event = acceptedEvent(productIds[random.below(random.between(1, 3))]!, developer, {
      ...(developer % 4 === 0 ? {} : { account: 1 + (developer % 11) }),
      eventFamily: random.pick(families),
      occurredAt: new Date(asOf(arrives).getTime() - daysBefore * day_ms).toISOString(),
    });
    epochOf.set(event.eventId, arrives);
    return event;
  });
}

/** The snapshots, byte by byte, that a service on empty stores publishes from the log. */
async function replayed(replay: Replay): Promise<readonly string[]> {
  await world.database.query('truncate published_epoch, dirty_day, projection_checkpoint');
  for (const table of await tableNames()) await world.clickhouse.run(`TRUNCATE TABLE ${table}`);
  const snapshots: string[] = [];
  for (let epoch = 1; epoch <= epochs; epoch += 1) {
    await deliver(epoch, replay);
    await publish(epoch, epoch === 2 ? replay.struckAt : null);
    snapshots.push(await storedSnapshot());
  }
  return snapshots;
}

async function tableNames(): Promise<readonly string[]> {
  const rows = await world.clickhouse.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  );
  expect(rows).toHaveLength(readModelTables(first_version).length);
  return rows.map(({ name }) => name);
}

async function deliver(epoch: number, replay: Replay): Promise<void> {
  const { batchRecords, partitions, developerKey } = replay;
  const known = records
    .map((record) => ({ record, message: JSON.parse(Buffer.from(record.value).toString()) }))
    .filter(({ message }) => epochOf.get((message as UsageAccepted).eventId) === epoch)
    .map(({ record, message }): LogRecord => {
      const devKey = String(developerKey(BigInt((message as UsageAccepted).devKey)));
      return { ...record, value: Buffer.from(JSON.stringify({ ...message, devKey })) };
    });
  const numbers = [...new Set(known.map(({ partition }) => partition))].sort((a, b) => a - b);
  if (partitions === 'in reverse') numbers.reverse();
  for (const partition of numbers) {
    const own = known.filter((record) => record.partition === partition);
    for (let start = 0; start < own.length; start += batchRecords) {
      await world.projection.handle({
        topic: usageAcceptedTopic.name,
        partition,
        records: own.slice(start, start + batchRecords),
        highWatermark: own.at(-1)!.offset + 1n,
      });
    }
  }
}

async function publish(epoch: number, struckAt: FaultPoint | null): Promise<void> {
  let strikes = 0;
  if (struckAt !== null) {
    armFaultPoint(struckAt, () => {
      strikes += 1;
      if (strikes === 1) throw new Error('struck');
    });
  }
  const answered = new PublicationRequests(world.database).publish(20_000);
  const publisher = world.publisher(terms, () => asOf(epoch));
  let hasAnswer = false;
  void answered.then(() => (hasAnswer = true));
  while (!hasAnswer) {
    await publisher.publish().catch((error: Error) => expect(error.message).toBe('struck'));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  expect(await answered).toBe(epoch);
  expect(strikes > 0).toBe(struckAt !== null);
}

/** Every column of every row that readers see. */
async function storedSnapshot(): Promise<string> {
  const { epoch, checksum } = (await latestEpoch(world.database.manager))!;
  const rows = await world.clickhouse.rows(
    `SELECT * FROM adoption_rows FINAL
     WHERE epoch = {epoch:UInt64} AND checksum = {checksum:String} ORDER BY period, position`,
    { epoch, checksum },
  );
  return rows.map((row) => JSON.stringify(row)).join('\n');
}

describe('the same log', () => {
  it('makes epochs that show figures, and differ from each other', () => {
    expect(new Set(published).size).toBe(epochs);
    for (const snapshot of published) expect(snapshot).toMatch(/"status":"published"/);
  });

  it.each<[string, Partial<Replay>]>([
    ['in small batches', { batchRecords: 3 }],
    ['one record at a time, partitions in reverse', { batchRecords: 1, partitions: 'in reverse' }],
    ['under other random keys', { developerKey: (key) => (key * 2_654_435_761n) % 2n ** 64n }],
  ])('gives byte-identical snapshots: %s', async (_how, replay) => {
    expect(await replayed({ ...plain, ...replay })).toEqual(published);
  });

  it.each<FaultPoint>([
    'publisher_after_days',
    'publisher_after_cohorts',
    'publisher_after_rows',
    'publisher_after_pointer',
  ])('gives byte-identical snapshots to a publisher struck at %s', async (struckAt) => {
    expect(await replayed({ ...plain, struckAt })).toEqual(published);
  });
});

describe('what an epoch leaves behind', () => {
  it('are the members of one attempt, the one that the pointer names', async () => {
    const { attempt } = (await latestEpoch(world.database.manager))!;
    for (const table of ['published_cohort', 'published_series']) {
      const attempts = await world.clickhouse.rows<{ attempt: string }>(
        `SELECT DISTINCT toString(attempt) AS attempt FROM ${table}`,
      );
      expect(attempts).toEqual([{ attempt }]);
    }
  });

  it('must be there when the next one is published', async () => {
    await world.clickhouse.run('TRUNCATE TABLE published_series');
    void new PublicationRequests(world.database).publish(1).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    await expect(world.publisher(terms, () => asOf(epochs)).publish()).rejects.toThrow(
      'set published_epoch.attempt of this epoch to null',
    );
  });
});
