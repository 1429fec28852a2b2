import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { usageAcceptedTopic } from '#contracts/topics.js';
import { UsageEventsReader } from '#read-models/usage-events/usage-events.reader.js';
import { createLogger } from '#runtime/logger.js';
import { Shutdown } from '#runtime/shutdown.js';
import { startProjector } from '../../apps/projector/src/projector.js';
import { eventually } from '../support/eventually.js';
import { first_version } from '../support/first-version.js';
import { openOpsWorld, received, receivedRecord, type OpsWorld } from './ops-world.js';

let world: OpsWorld;
let clickhouse: Clickhouse;
const silent = createLogger('spec', 'silent');
const projector = new Shutdown(silent);
const reason = ['--reason', 'unknown_organization'] as const;

beforeAll(async () => {
  world = await openOpsWorld();
  await startProjector(world.config, silent, projector);
  clickhouse = openClickhouse({ url: world.config.clickhouseUrl!, app: 'spec' });
});
afterAll(async () => {
  await projector.stop();
  await clickhouse.close();
  await world.close();
});

interface Listed {
  readonly open: number;
  readonly newest: readonly { readonly redrives: number }[];
}
const list = async () => (await world.done('quarantine', 'list', ...reason)) as unknown as Listed;
const redrive = () => world.done('quarantine', 'redrive', ...reason, '--execute');

async function accepted(): Promise<ReadonlySet<string>> {
  return new Set((await world.recordsOf(usageAcceptedTopic.name)).map(({ key }) => key));
}

async function storedEvents(): Promise<number> {
  const days = await new UsageEventsReader(clickhouse, first_version.tables).eventsPerDay();
  return days.reduce((sum, { events }) => sum + events, 0);
}

/** Has a fresh clerk judge everything that is in its topic. */
async function judgeAll(): Promise<void> {
  const clerk = await world.startClerk();
  await eventually(
    () => world.log.lag('ingest-worker-v1', received),
    (rows) => rows.every(({ lag }) => lag === 0n),
  );
  await clerk.stop();
}

describe('records that no clerk could accept', () => {
  it('are accepted after a fix when they are sent back, and count once', async () => {
    const organizationId = randomUUID();
    const events = Array.from({ length: 3 }, () => receivedRecord(organizationId));
    await world.log.append(received, events);
    await judgeAll();
    expect(await list()).toMatchObject({ open: 3 });

    // Without a fix they come back, and it is remembered that they were sent before.
    expect(await redrive()).toMatchObject({ redriven: 3 });
    await judgeAll();
    const returned = await list();
    expect(returned.newest.map(({ redrives }) => redrives)).toEqual([1, 1, 1]);

    await world.database.query(
      `insert into organization (id, slug, name) values ($1, 'late', 'Late')`,
      [organizationId],
    );
    const { operationId } = await redrive();
    // As if the process had died between the append and its memory of it.
    await world.database.query('delete from quarantine_resolution where operation_id = $1', [
      operationId,
    ]);
    expect(await redrive()).toMatchObject({ redriven: 3 });
    await judgeAll();
    expect(await accepted()).toEqual(new Set(events.map(({ key }) => key)));
    await eventually(storedEvents, (count) => count > 0);
    await eventually(
      () => world.log.lag('projector-usage-v1', usageAcceptedTopic.name),
      (rows) => rows.every(({ lag }) => lag === 0n),
    );
    expect(await storedEvents()).toBe(3);
    expect(await list()).toMatchObject({ open: 0 });
  });
});
