import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import type { AdoptionPeriod } from '#domain/adoption/period.js';
import { snapshotChecksum, type SnapshotRows } from './snapshot-checksum.js';

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

/** What the pointer says of a snapshot. */
export interface SnapshotPointer {
  readonly epoch: number;
  readonly asOf: Date;
  readonly checksum: string;
}

/** Reads published snapshots, the only thing that public reads may see. */
export class AdoptionRowsReader {
  constructor(private readonly clickhouse: Clickhouse) {}

  /** The rows of a snapshot; null when they are not, all of them, what was published. */
  async snapshot({ epoch, asOf, checksum }: SnapshotPointer): Promise<SnapshotRows | null> {
    const stored = await this.clickhouse.rows<SnapshotRow>(snapshot_rows, { epoch, checksum });
    const rows = new Map<AdoptionPeriod, AdoptionRow[]>();
    for (const { period, body } of stored) {
      const list = rows.get(period) ?? [];
      list.push(JSON.parse(body) as AdoptionRow);
      rows.set(period, list);
    }
    return snapshotChecksum(epoch, asOf, rows) === checksum ? rows : null;
  }
}
