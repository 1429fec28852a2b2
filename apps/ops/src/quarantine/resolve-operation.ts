import type { EventLog } from '#event-log/event-log.js';
import type { QuarantineResolutions } from '#postgres/quarantine/quarantine-resolutions.js';
import type { Span } from '../log/spans.js';
import { countLines, QuarantineCounts, type QuarantineCount } from './count-records.js';
import { openRecords, quarantineSpans, type QuarantineFilter } from './open-records.js';
import type { SetAsideRecord } from './set-aside-record.js';

/** Redriving and discarding take turns: what is open for one is open for the other. */
export const quarantine_turn = 'quarantine';

export interface QuarantineStores {
  readonly log: EventLog;
  readonly resolutions: QuarantineResolutions;
}

/** What is meant and open, up to where the quarantine ended when this was made. */
export interface ResolvePlan {
  readonly records: number;
  /** How many of them `isRefused` names. */
  readonly refused: number;
  readonly counts: readonly QuarantineCount[];
  readonly spans: readonly Span[];
}

/** Counts what is meant; changes nothing. */
export async function planResolution(
  { log, resolutions }: QuarantineStores,
  filter: QuarantineFilter,
  isRefused: (record: SetAsideRecord) => boolean,
): Promise<ResolvePlan> {
  const spans = await quarantineSpans(log, filter);
  const counts = new QuarantineCounts();
  let records = 0;
  let refused = 0;
  for await (const { open } of openRecords(log, resolutions, spans, filter)) {
    records += open.length;
    refused += open.filter(isRefused).length;
    open.forEach((record) => counts.add(record));
  }
  return { records, refused, counts: counts.list(), spans };
}

export function planResolutionLines(
  { records, counts }: ResolvePlan,
  done: string,
): readonly string[] {
  return [`${records} records in quarantine would be ${done}.`, ...countLines(counts)];
}
