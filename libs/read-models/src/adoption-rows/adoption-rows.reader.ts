import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import type { AdoptionPeriod } from '#domain/adoption/period.js';

/** Every row of one published snapshot, in the order in which periods show them. */
export const snapshot_rows = `
SELECT period, body
FROM adoption_rows FINAL
WHERE epoch = {epoch:UInt64} AND checksum = {checksum:String}
ORDER BY period, position`;

interface SnapshotRow {
  readonly period: AdoptionPeriod;
  readonly body: string;
}

/** Reads published snapshots, the only thing that public reads may see. */
export class AdoptionRowsReader {
  constructor(private readonly clickhouse: Clickhouse) {}

  /** The rows of a snapshot by period; a period without catalogued tools is absent. */
  async snapshot(
    epoch: number,
    checksum: string,
  ): Promise<ReadonlyMap<AdoptionPeriod, readonly AdoptionRow[]>> {
    const rows = await this.clickhouse.rows<SnapshotRow>(snapshot_rows, { epoch, checksum });
    const periods = new Map<AdoptionPeriod, AdoptionRow[]>();
    for (const { period, body } of rows) {
      const list = periods.get(period) ?? [];
      list.push(JSON.parse(body) as AdoptionRow);
      periods.set(period, list);
    }
    return periods;
  }
}
