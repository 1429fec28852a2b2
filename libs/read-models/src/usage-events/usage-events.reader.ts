import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';

/** Distinct stored events per UTC day, copies collapsed. */
export const events_per_day = `
SELECT toString(toDate(occurred_at)) AS day, toUInt32(count()) AS events
FROM {usage_events:Identifier} FINAL
GROUP BY day
ORDER BY day
SETTINGS do_not_merge_across_partitions_select_final = 1`;

export interface DayEvents {
  readonly day: string;
  readonly events: number;
}

export class UsageEventsReader {
  constructor(
    private readonly clickhouse: Clickhouse,
    private readonly tables: AdoptionTables,
  ) {}

  /** How many events are stored for each day that has any. */
  eventsPerDay(): Promise<DayEvents[]> {
    return this.clickhouse.rows<DayEvents>(events_per_day, this.tables);
  }
}
