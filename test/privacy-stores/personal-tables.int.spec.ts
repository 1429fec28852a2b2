import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { personal_tables } from '#read-models/personal/personal-tables.js';
import { openProjectorWorld, type ProjectorWorld } from '../projector/projector-world.js';

let world: ProjectorWorld;

beforeAll(async () => {
  world = await openProjectorWorld();
});
afterAll(() => world.close());

/** Columns that hold keys of developers, under whatever name they carry them. */
const developer_columns = `
SELECT table, name AS column
FROM system.columns
WHERE database = currentDatabase() AND match(name, '(^|_)(dev|developer)s?(_keys?)?$')
  AND match(type, 'UInt64|AggregateFunction')`;

it('erases from every table that has a column for developers, and from no other', async () => {
  const found = await world.clickhouse.rows<{ table: string; column: string }>(developer_columns);
  const declared = personal_tables.map(({ table, devKeyColumn }) => ({
    table,
    column: devKeyColumn,
  }));
  const inOrder = (list: typeof found) => list.map(({ table, column }) => `${table}.${column}`);
  expect(inOrder(found).sort()).toEqual(inOrder(declared).sort());
  expect(found.length).toBeGreaterThan(3);
});

it('deletes the raw events last: until then they say which days were touched', () => {
  expect(personal_tables.at(-1)?.table).toBe('usage_events_v1');
});
