import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { usageAcceptedTopic } from '#contracts/topics.js';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { readDirtyDays } from '#postgres/publication/dirty-days.js';
import { ProjectionProgress } from '#postgres/publication/projection-progress.js';
import { latestEpoch } from '#postgres/publication/published-epochs.js';
import { AdoptionRowsReader } from '#read-models/adoption-rows/adoption-rows.reader.js';
import type { EventLog } from '#event-log/event-log.js';
import type { FaultPoint } from '#runtime/fault-points.js';
import { createLogger } from '#runtime/logger.js';
import { eventually } from '../support/eventually.js';
import { startFaultyApp, type FaultyApp } from '../support/faulty-app.js';
import { first_version } from '../support/first-version.js';
import { specEnvironment, startSpecService, type SpecService } from '../support/service.js';
import { idsOf, newEvent } from '../support/tracking-events.js';

let service: SpecService;
let database: Database;
let clickhouse: Clickhouse;
let log: EventLog;
let faulty: FaultyApp | null = null;

beforeEach(async () => {
  service = await startSpecService({ BATCH_THREADS: '0' });
  const { databaseUrl, clickhouseUrl } = service.config;
  database = await openDatabase({ url: databaseUrl!, app: 'spec' });
  clickhouse = openClickhouse({ url: clickhouseUrl!, app: 'spec' });
  log = await openEventLog(service.config, createLogger('spec', 'silent'));
  await service.startClerk();
});

afterEach(async () => {
  await faulty?.kill('SIGKILL');
  faulty = null;
  await log.close();
  await clickhouse.close();
  await database.destroy();
  await service.stop();
});

const developers = 30;

/** Starts a projector that dies at `fault`. */
async function startDoomed(fault: FaultPoint): Promise<FaultyApp> {
  const { databaseUrl, clickhouseUrl } = service.config;
  const stores = { databaseUrl: databaseUrl!, clickhouseUrl: clickhouseUrl! };
  faulty = await startFaultyApp('projector', specEnvironment(stores), fault);
  return faulty;
}

/** One event of each developer, spread over six accounts; answers with the acknowledged ids. */
async function trackEvents(): Promise<readonly string[]> {
  const events = Array.from({ length: developers }, (_, index) =>
    newEvent({ account_domain: `customer-${index % 6}.example` }),
  );
  const { status, body } = await service.post('/api/usage/track/batch', { events });
  expect(status).toBe(200);
  return [...idsOf(body)].sort();
}

/** Ids of the stored rows; one that is there twice is named twice. */
async function storedIds(): Promise<readonly string[]> {
  const rows = await clickhouse.rows<{ id: string }>(
    'SELECT toString(event_id) AS id FROM usage_events_v1 FINAL',
  );
  return rows.map(({ id }) => id).sort();
}

const projected = () =>
  eventually(
    () => log.lag(first_version.group, usageAcceptedTopic.name),
    (lags) => lags.every(({ lag }) => lag === 0n),
  );

/** What a projector that died had written down of its progress. */
async function marked() {
  const progress = new ProjectionProgress(database);
  const checkpoints = await progress.checkpoints(first_version.group, usageAcceptedTopic.name);
  const dirty = await readDirtyDays(database.manager, first_version.daysModel);
  return { checkpoints: checkpoints.size > 0, dirty: dirty.length > 0 };
}

async function countedEvents(): Promise<number> {
  const [row] = await clickhouse.rows<{ events: number }>(
    'SELECT toUInt32(sum(events)) AS events FROM dev_day_v1',
  );
  return row!.events;
}

/** The latest epoch has all its rows, they count every event once, and the API shows it. */
async function expectWholeSnapshot(epoch: number): Promise<void> {
  const latest = await latestEpoch(database.manager);
  expect(latest?.epoch).toBe(epoch);
  expect(await new AdoptionRowsReader(clickhouse).snapshot(latest!)).not.toBeNull();
  expect(await countedEvents()).toBe(developers);
  const page = () => service.get('/api/v1/adoption?tool=code-search');
  const { body } = await eventually(page, (answer) => answer.body['epoch'] === epoch);
  expect(body).toMatchObject({ rows: [{ status: 'published' }] });
}

describe('a projector killed', () => {
  it.each([
    ['projector_after_insert', { checkpoints: false, dirty: false }],
    ['projector_after_mark', { checkpoints: true, dirty: true }],
  ] as const)('at %s leaves each event one row and the next epoch whole', async (fault, left) => {
    const { ended } = await startDoomed(fault);
    const ids = await trackEvents();
    expect(await ended).toBe('SIGKILL');
    expect((await storedIds()).length).toBeGreaterThan(0);
    expect(await marked()).toEqual(left);
    const lags = await log.lag(first_version.group, usageAcceptedTopic.name);
    expect(lags.some(({ lag }) => lag > 0n)).toBe(true);

    await service.startProjector();
    await projected();
    expect(await storedIds()).toEqual(ids);
    await expectWholeSnapshot(await service.publish());
  });
});

describe('a publisher killed after the rows and before the pointer', () => {
  it('has published nothing; the next one answers the request with a whole epoch', async () => {
    const { ended } = await startDoomed('publisher_after_rows');
    const ids = await trackEvents();
    await eventually(storedIds, (stored) => stored.length === ids.length);
    await projected();
    const asked = service.publish();
    expect(await ended).toBe('SIGKILL');
    const [left] = await clickhouse.rows<{ rows: number }>(
      'SELECT toUInt32(count()) AS rows FROM adoption_rows',
    );
    expect(left!.rows).toBeGreaterThan(0);
    expect(await latestEpoch(database.manager)).toBeNull();
    expect((await service.get('/api/v1/adoption')).body).toMatchObject({ epoch: null });

    await service.startProjector();
    expect(await asked).toBe(1);
    expect(await storedIds()).toEqual(ids);
    await expectWholeSnapshot(1);
  });
});
