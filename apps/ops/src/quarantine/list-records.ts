import { QuarantineCounts, type QuarantineCount } from './count-records.js';
import { openRecords, quarantineSpans, type QuarantineFilter } from './open-records.js';
import type { QuarantineStores } from './resolve-operation.js';
import type { SetAsideRecord } from './set-aside-record.js';

export interface OpenRecords {
  readonly counts: readonly QuarantineCount[];
  /** Newest first. */
  readonly newest: readonly SetAsideRecord[];
}

/** What is open in quarantine: how much of what, and the newest of it. */
export async function listOpen(
  { log, resolutions }: QuarantineStores,
  filter: QuarantineFilter,
  limit: number,
): Promise<OpenRecords> {
  const counts = new QuarantineCounts();
  let newest: SetAsideRecord[] = [];
  const spans = await quarantineSpans(log, filter);
  for await (const { open } of openRecords(log, resolutions, spans, filter)) {
    open.forEach((record) => counts.add(record));
    newest.push(...open);
    newest.sort(newestFirst);
    newest = newest.slice(0, limit);
  }
  return { counts: counts.list(), newest };
}

function newestFirst({ record: one }: SetAsideRecord, { record: other }: SetAsideRecord): number {
  return other.appendedAt - one.appendedAt || Number(other.offset - one.offset);
}
