import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';

/** What the days say of first activations and of returns; repeating it changes nothing. */
export const add_lifecycle_days = `
INSERT INTO {lifecycle:Identifier}
SELECT
    product_id,
    evidence,
    dev_key,
    account_key,
    min(if(family = 'activation', toNullable(first_at), NULL)) AS first_activation,
    max(last_at) AS last_retained
FROM {dev_day:Identifier}
WHERE day IN {days:Array(Date)} AND family IN ('activation', 'retention')
GROUP BY product_id, evidence, dev_key, account_key`;

export const lifecycle_days = `
SELECT DISTINCT toString(day) AS day
FROM {dev_day:Identifier}
ORDER BY day`;

export const empty_lifecycle = 'TRUNCATE TABLE {lifecycle:Identifier}';

/** Days read by one statement, so that its memory does not grow with the history. */
const days_per_chunk_max = 7;

/** Takes days in that were computed again, late events included. */
export async function addLifecycleDays(
  clickhouse: Clickhouse,
  tables: AdoptionTables,
  days: readonly string[],
): Promise<void> {
  const sorted = [...new Set(days)].sort();
  for (let start = 0; start < sorted.length; start += days_per_chunk_max) {
    const chunk = sorted.slice(start, start + days_per_chunk_max);
    await clickhouse.run(add_lifecycle_days, { ...tables, days: chunk });
  }
}

/**
 * Computes the whole table again from the days that are kept: minimum and maximum only ever move
 * outwards, so events that are gone or belong to another product now leave it this way alone. One
 * rebuild at a time: the caller holds the publication lock, and a crash is mended by the next one.
 */
export async function rebuildLifecycle(
  clickhouse: Clickhouse,
  tables: AdoptionTables,
): Promise<void> {
  const days = await clickhouse.rows<{ day: string }>(lifecycle_days, tables);
  await clickhouse.run(empty_lifecycle, tables);
  await addLifecycleDays(
    clickhouse,
    tables,
    days.map(({ day }) => day),
  );
}
