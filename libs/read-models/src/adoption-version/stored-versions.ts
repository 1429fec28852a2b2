import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { devDayStageTable, devDayTable } from '../dev-day/dev-day.table.js';
import { lifecycleTable } from '../lifecycle/lifecycle.table.js';
import { usageEventsTable } from '../usage-events/usage-events.table.js';
import { onCluster, type TableDdl } from '#clickhouse/tables.js';
import { single_server, type Topology } from '#clickhouse/topology.js';
import { adoptionVersion, type AdoptionTables, type AdoptionVersion } from './adoption-version.js';

export const stored_versions = `
SELECT toUInt32(extract(name, '^usage_events_v([0-9]{1,4})$')) AS version
FROM system.tables
WHERE database = currentDatabase() AND match(name, '^usage_events_v[1-9][0-9]{0,3}$')
ORDER BY version`;

export const stored_rows = `
SELECT toUInt64(sum(rows)) AS rows
FROM system.parts
WHERE database = currentDatabase() AND table = {usage_events:String} AND active`;

export const dropTable = (topology: Topology): string =>
  `DROP TABLE IF EXISTS {table:Identifier}${onCluster(topology)} SYNC`;

export const drop_table = dropTable(single_server);

/** The tables of a version; the raw events are the first to come and the last to go. */
export function adoptionTableDdls(tables: AdoptionTables): readonly TableDdl[] {
  return [usageEventsTable, devDayTable, devDayStageTable, lifecycleTable].map((ddl) =>
    ddl(tables),
  );
}

/** The versions that the column store has tables of, whatever becomes of them. */
export async function storedAdoptionVersions(
  clickhouse: Clickhouse,
): Promise<readonly AdoptionVersion[]> {
  const rows = await clickhouse.rows<{ version: number }>(stored_versions);
  return rows.map(({ version }) => adoptionVersion(version));
}

/** Rows of events that a version takes up, copies that have not collapsed yet among them. */
export async function readStoredRows(
  clickhouse: Clickhouse,
  { usage_events }: AdoptionTables,
): Promise<number> {
  const [row] = await clickhouse.rows<{ rows: number | string }>(stored_rows, { usage_events });
  return Number(row?.rows ?? 0);
}

/** Creates whatever tables of a version are missing. */
export async function createAdoptionTables(
  clickhouse: Clickhouse,
  tables: AdoptionTables,
): Promise<void> {
  for (const ddl of adoptionTableDdls(tables)) await clickhouse.run(ddl(clickhouse.topology));
}

/** Drops the tables of a version; what is gone already is no error. */
export async function dropAdoptionTables(
  clickhouse: Clickhouse,
  { dev_day_stage, dev_day, lifecycle, usage_events }: AdoptionTables,
): Promise<void> {
  for (const table of [dev_day_stage, dev_day, lifecycle, usage_events]) {
    await clickhouse.run(dropTable(clickhouse.topology), { table });
  }
}
