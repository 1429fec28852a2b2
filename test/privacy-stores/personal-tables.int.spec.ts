import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { adoptionVersion } from '#read-models/adoption-version/adoption-version.js';
import {
  createAdoptionTables,
  dropAdoptionTables,
  storedAdoptionVersions,
} from '#read-models/adoption-version/stored-versions.js';
import { PersonalRows } from '#read-models/personal/personal-rows.js';
import { personalTables } from '#read-models/personal/personal-tables.js';
import { openProjectorWorld, type ProjectorWorld } from '../projector/projector-world.js';
import { first_version } from '../support/first-version.js';

const rebuilt = adoptionVersion(12);
let world: ProjectorWorld;

beforeAll(async () => {
  world = await openProjectorWorld();
  await createAdoptionTables(world.clickhouse, rebuilt.tables);
});
afterAll(() => world.close());

/** Columns that hold keys of developers, under whatever name they carry them. */
const developer_columns = `
SELECT table, name AS column
FROM system.columns
WHERE database = currentDatabase() AND match(name, '(^|_)(dev|developer)s?(_keys?)?$')
  AND match(type, 'UInt64|AggregateFunction')`;

it('finds every version of the projection that the column store has', async () => {
  expect(await storedAdoptionVersions(world.clickhouse)).toEqual([first_version, rebuilt]);
});

it('erases from every table that has a column for developers, and from no other', async () => {
  const found = await world.clickhouse.rows<{ table: string; column: string }>(developer_columns);
  const versions = await storedAdoptionVersions(world.clickhouse);
  const declared = personalTables(versions).map(({ table, devKeyColumn }) => ({
    table,
    column: devKeyColumn,
  }));
  const inOrder = (list: typeof found) => list.map(({ table, column }) => `${table}.${column}`);
  expect(inOrder(found).sort()).toEqual(inOrder(declared).sort());
  expect(found.length).toBeGreaterThan(7);
});

it('erases while a version has not all of its tables, as after a kill in a build', async () => {
  const partial = adoptionVersion(13);
  await createAdoptionTables(world.clickhouse, partial.tables);
  const rows = new PersonalRows(world.clickhouse);
  try {
    await world.clickhouse.run(`DROP TABLE ${partial.tables.dev_day_stage} SYNC`);
    await rows.erase(['7']);
    expect(Object.keys(await rows.count(['7']))).toContain(partial.tables.usage_events);
  } finally {
    await dropAdoptionTables(world.clickhouse, partial.tables);
  }
});

it('deletes the raw events last: until then they say which days were touched', () => {
  const tables = personalTables([first_version, rebuilt]).map(({ table }) => table);
  expect(tables.slice(-2)).toEqual(['usage_events_v1', 'usage_events_v12']);
});
