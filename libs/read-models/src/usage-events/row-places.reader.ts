import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';

/**
 * Which record of the log each row comes from, copies collapsed. Ids are cut into ranges by their
 * text: the order of UUIDs is another one here.
 */
export const row_places = `
SELECT
    toString(event_id) AS "eventId",
    toString(dev_key) AS "devKey",
    log_partition AS "partition",
    toFloat64(log_offset) AS "offset"
FROM {usage_events:Identifier} FINAL
WHERE log_partition IN {partitions:Array(UInt16)}
  AND substring(toString(event_id), 1, 8) >= {from:String}
  AND substring(toString(event_id), 1, 8) < {to:String}
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** Rows that name a partition which the topic does not have. */
export const rows_elsewhere = `
SELECT toUInt32(count()) AS count
FROM {usage_events:Identifier} FINAL
WHERE log_partition NOT IN {partitions:Array(UInt16)}`;

export interface RowPlace {
  readonly eventId: string;
  readonly devKey: string;
  readonly partition: number;
  readonly offset: number;
}

/** First 8 hex digits of the ids; `to` is left out, and null means to the end. */
export interface PrefixRange {
  readonly from: string;
  readonly to: string | null;
}

/** Greater than any hex digit. */
const beyond_prefixes = 'g';

/** Reads the raw table of usage events in one of its versions. */
export class RowPlacesReader {
  constructor(
    private readonly clickhouse: Clickhouse,
    private readonly tables: AdoptionTables,
  ) {}

  places(partitions: readonly number[], { from, to }: PrefixRange): Promise<RowPlace[]> {
    return this.clickhouse.rows<RowPlace>(row_places, {
      ...this.tables,
      partitions: partitions.map(BigInt),
      from,
      to: to ?? beyond_prefixes,
    });
  }

  async elsewhere(partitions: readonly number[]): Promise<number> {
    const [row] = await this.clickhouse.rows<{ count: number }>(rows_elsewhere, {
      ...this.tables,
      partitions: partitions.map(BigInt),
    });
    return row!.count;
  }
}
