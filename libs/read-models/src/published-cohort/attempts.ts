import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { isUuid } from '#domain/text/uuid.js';

export const stored_attempts = `
SELECT DISTINCT table, partition
FROM system.parts
WHERE database = currentDatabase()
  AND table IN ('published_cohort', 'published_series')
  AND active`;

/** Drops the rows of every attempt but one: of failed ones, and of those before it. */
export async function dropOtherAttempts(
  clickhouse: Clickhouse,
  attempt: string | null,
): Promise<void> {
  const stored = await clickhouse.rows<{ table: string; partition: string }>(stored_attempts);
  for (const { table, partition } of stored) {
    if (partition === attempt || !isUuid(partition)) continue;
    await clickhouse.run(`ALTER TABLE ${table} DROP PARTITION '${partition}'`);
  }
}
