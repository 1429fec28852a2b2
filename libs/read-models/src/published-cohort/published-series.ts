import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { SeriesState } from '#domain/adoption/series.js';
import type { EvidenceLabel } from '#domain/evidence.js';
import { insertStatement } from '../insert-statement.js';
import type { CohortSlots, LinkChange } from './cohort-slots.js';
import type { SeriesName } from './series-name.js';

export const insert_published_series = insertStatement('published_series', [
  'attempt',
  'tool_id',
  'evidence',
  'state',
  'slots',
  'kept',
  'added',
]);

export const published_series = `
SELECT toString(tool_id) AS tool, evidence, state, slots
FROM published_series
WHERE attempt = {attempt:UUID}
ORDER BY tool_id, evidence`;

/** What an attempt left of a series. */
export interface PublishedSeries extends SeriesName {
  readonly state: SeriesState;
  readonly slots: CohortSlots;
}

/** A series as it is handed on, and what becomes of its links. */
export interface SeriesChange extends SeriesName {
  readonly state: SeriesState;
  readonly change: LinkChange;
}

interface SeriesRow {
  readonly tool: string;
  readonly evidence: EvidenceLabel;
  readonly state: string;
  readonly slots: string;
}

/** What an attempt handed on, series by series. */
export async function readPublishedSeries(
  clickhouse: Clickhouse,
  attempt: string,
): Promise<PublishedSeries[]> {
  const rows = await clickhouse.rows<SeriesRow>(published_series, { attempt });
  return rows.map(({ tool, evidence, state, slots }) => ({
    toolId: tool,
    label: evidence,
    state: JSON.parse(state) as SeriesState,
    slots: JSON.parse(slots) as CohortSlots,
  }));
}

/** Hands series on to whoever publishes after this attempt. */
export async function writePublishedSeries(
  clickhouse: Clickhouse,
  attempt: string,
  series: readonly SeriesChange[],
): Promise<void> {
  if (series.length === 0) return;
  const lines = series.map(({ toolId, label, state, change }) => {
    const { kept, added, slots } = change;
    const [stateText, slotsText] = [JSON.stringify(state), JSON.stringify(slots)];
    return `${JSON.stringify([attempt, toolId, label, stateText, slotsText, kept, added])}\n`;
  });
  await clickhouse.insert(insert_published_series, [lines.join('')]);
}
