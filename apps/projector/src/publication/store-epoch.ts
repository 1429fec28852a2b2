import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { AdoptionRowsWriter } from '#read-models/adoption-rows/adoption-rows.writer.js';
import { snapshotChecksum } from '#read-models/adoption-rows/snapshot-checksum.js';
import { changeSlots } from '#read-models/published-cohort/cohort-slots.js';
import { writePublishedSeries } from '#read-models/published-cohort/published-series.js';
import { seriesKey } from '#read-models/published-cohort/series-name.js';
import type { EpochDraft } from './draft-epoch.js';

/** What the pointer has to say of a stored epoch. */
export interface StoredEpoch {
  readonly checksum: string;
  readonly seriesCount: number;
}

/**
 * Stores what readers see of a draft, and what the next epoch has to know: its rows, named by
 * their checksum, and its series, named by the attempt. Nobody reads either before the pointer.
 */
export async function storeEpoch(
  clickhouse: Clickhouse,
  attempt: string,
  asOf: Date,
  { epoch, outcome, previous }: EpochDraft,
): Promise<StoredEpoch> {
  const checksum = snapshotChecksum(epoch, asOf, outcome.rows);
  await new AdoptionRowsWriter(clickhouse).write(epoch, checksum, outcome.rows);
  const slots = new Map(previous.map((series) => [seriesKey(series), series.slots]));
  const series = outcome.series.map(({ toolId, label, state }) => {
    const before = slots.get(seriesKey({ toolId, label })) ?? {};
    return { toolId, label, state, change: changeSlots(before, state.published) };
  });
  await writePublishedSeries(clickhouse, attempt, series);
  return { checksum, seriesCount: series.length };
}
