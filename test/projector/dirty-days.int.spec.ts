import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { clearDirtyDays, readDirtyDays } from '#postgres/publication/dirty-days.js';
import { rebuildDays } from '#read-models/dev-day/dev-day.rebuild.js';
import { first_version } from '../support/first-version.js';
import {
  acceptedEvent,
  cohortOf,
  daysAgo,
  openProjectorWorld,
  type ProjectorWorld,
} from './projector-world.js';

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

describe('dirty days', () => {
  it('are cleared only in the version that was computed', async () => {
    const { manager } = world.database;
    await project([
      acceptedEvent(productId, 1),
      acceptedEvent(productId, 1, { occurredAt: daysAgo(1) }),
    ]);
    const seen = await readDirtyDays(manager, first_version.daysModel);
    await project([acceptedEvent(productId, 2, { occurredAt: daysAgo(1) })]);
    // Delivering everything again marked both days; only this one is put back.
    await manager.query('update dirty_day set version = $1 where day = $2', [
      seen[1]!.version,
      seen[1]!.day,
    ]);
    await clearDirtyDays(manager, first_version.daysModel, seen);
    const left = await readDirtyDays(manager, first_version.daysModel);
    expect(left.map(({ day }) => day)).toEqual([daysAgo(1).slice(0, 10)]);
  });

  it('count an event once although its copies have not been merged', async () => {
    await world.clickhouse.run('SYSTEM STOP MERGES usage_events_v1');
    await world.accept(cohortOf(productId, 3, 3));
    for (let delivery = 0; delivery < 3; delivery += 1) await world.deliverAll();
    await rebuildDays(world.clickhouse, first_version.tables, [daysAgo(0).slice(0, 10)]);
    const [row] = await world.clickhouse.rows<{ events: number; raw: number }>(
      `SELECT toUInt32(sum(events)) AS events,
              toUInt32((SELECT count() FROM usage_events_v1)) AS raw FROM dev_day_v1`,
    );
    expect(row).toEqual({ events: 3, raw: 9 });
  });

  it('are computed many at once', async () => {
    const days = Array.from({ length: 95 }, (_, index) => daysAgo(index));
    await project(days.map((occurredAt, index) => acceptedEvent(productId, index, { occurredAt })));
    await rebuildDays(
      world.clickhouse,
      first_version.tables,
      days.map((day) => day.slice(0, 10)),
    );
    const [row] = await world.clickhouse.rows<{ days: number; staged: number }>(
      `SELECT toUInt32(uniqExact(day)) AS days,
              toUInt32((SELECT count() FROM dev_day_v1_stage)) AS staged FROM dev_day_v1`,
    );
    expect(row).toEqual({ days: 95, staged: 0 });
  });
});
