import { createHash } from 'node:crypto';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import { adoption_periods, type AdoptionPeriod } from '#domain/adoption/period.js';

/** The rows of a snapshot in the order in which they are shown. */
export type SnapshotRows = ReadonlyMap<AdoptionPeriod, readonly AdoptionRow[]>;

/** SHA-256 in hex of all that a snapshot shows: names it, and tells whether it is all there. */
export function snapshotChecksum(epoch: number, asOf: Date, rows: SnapshotRows): string {
  const content = adoption_periods.map((period) => rows.get(period) ?? []);
  return createHash('sha256')
    .update(JSON.stringify([epoch, asOf, content]))
    .digest('hex');
}
