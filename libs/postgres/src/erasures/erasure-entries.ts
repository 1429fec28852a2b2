import type { EntityManager } from 'typeorm';
import type { ErasureRecord } from './erasure-desk.js';

/** An erasure as the audit shows it; without an end while it is unfinished. */
export interface ErasureEntry extends Omit<ErasureRecord, 'completedAt' | 'counts'> {
  readonly completedAt: Date | null;
  readonly counts: ErasureRecord['counts'] | null;
}

/** The newest erasures, at most `limit`. */
export function readErasures(
  manager: EntityManager,
  limit: number,
): Promise<readonly ErasureEntry[]> {
  return manager.query<ErasureEntry[]>(
    `select id::text as id, requested_by as "requestedBy", started_at as "startedAt",
            completed_at as "completedAt", counts
     from erasure order by erasure.id desc limit $1`,
    [limit],
  );
}
