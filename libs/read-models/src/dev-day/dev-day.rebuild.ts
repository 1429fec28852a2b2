import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';
import { alias_join, canonical_developer } from '../developer-alias/canonical-developer.js';

/** Days computed by one statement: what it holds in memory grows with them. */
const days_per_chunk_max = 7;

export const rebuild_days = `
INSERT INTO {dev_day_stage:Identifier}
SELECT
    toDate(occurred_at) AS day,
    product_id,
    family,
    account_key,
    ${canonical_developer} AS developer,
    evidence,
    count() AS events,
    min(occurred_at) AS first_at,
    max(occurred_at) AS last_at
FROM {usage_events:Identifier} AS usage FINAL
${alias_join}
WHERE occurred_at >= toDateTime64({first:Date}, 3, 'UTC')
  AND occurred_at < toDateTime64({last:Date} + 1, 3, 'UTC')
  AND toDate(occurred_at) IN {days:Array(Date)}
GROUP BY day, product_id, family, account_key, developer, evidence
SETTINGS do_not_merge_across_partitions_select_final = 1`;

export const staged_days = `
SELECT DISTINCT toString(day) AS day
FROM {dev_day_stage:Identifier}`;

export const empty_stage = 'TRUNCATE TABLE {dev_day_stage:Identifier}';

/**
 * Computes whole days again from the raw events, linked developers as one, and swaps each one in
 * at once; readers see a day before or after, never in between. Running it twice changes nothing.
 * One rebuild at a time: the caller holds the publication lock.
 */
export async function rebuildDays(
  clickhouse: Clickhouse,
  tables: AdoptionTables,
  days: readonly string[],
): Promise<void> {
  const sorted = [...new Set(days)].sort();
  for (let start = 0; start < sorted.length; start += days_per_chunk_max) {
    await rebuildChunk(clickhouse, tables, sorted.slice(start, start + days_per_chunk_max));
  }
}

async function rebuildChunk(
  clickhouse: Clickhouse,
  tables: AdoptionTables,
  days: readonly string[],
): Promise<void> {
  await clickhouse.run(empty_stage, tables);
  await clickhouse.run(rebuild_days, { ...tables, first: days[0]!, last: days.at(-1)!, days });
  const staged = await clickhouse.rows<{ day: string }>(staged_days, tables);
  const filled = new Set(staged.map(({ day }) => day));
  const swaps = days.map((day) =>
    // A day without events has no partition to swap in: the old one has to go by itself. The
    // stage stands in the text because no parameter may name it here.
    filled.has(day)
      ? `REPLACE PARTITION '${day}' FROM ${tables.dev_day_stage}`
      : `DROP PARTITION '${day}'`,
  );
  await clickhouse.run(`ALTER TABLE {dev_day:Identifier} ${swaps.join(', ')}`, tables);
  await clickhouse.run(empty_stage, tables);
}
