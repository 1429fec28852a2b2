import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { DayWindow } from '#domain/adoption/period.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';

/** Days of the window for which the service holds events of any kind. */
export const covered_days = `
SELECT toUInt32(uniqExact(day)) AS days
FROM {dev_day:Identifier}
WHERE day >= {start:Date} AND day < {endExclusive:Date}`;

/** How many days of a window have events. */
export async function readCoveredDays(
  clickhouse: Clickhouse,
  tables: AdoptionTables,
  window: DayWindow,
): Promise<number> {
  const [row] = await clickhouse.rows<{ days: number }>(covered_days, {
    ...tables,
    ...window,
  });
  return row?.days ?? 0;
}
