import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { countedGroup } from '#domain/adoption/cell.js';
import { nobody, type CohortFacts } from '#domain/adoption/cohort-facts.js';
import { adoption_periods, type AdoptionPeriod } from '#domain/adoption/period.js';
import { cohort_parts, type CandidateFacts, type CohortPart } from '#domain/adoption/series.js';
import { factsFrom, laneFacts, type LaneRow } from './lane-facts.js';
import { link_cells_count, linkCell } from './link-cells.js';
import { seriesKey, type SeriesName } from './series-name.js';

/**
 * A lane for each cell, and behind them three for each group that is left when a part is taken
 * away: who did not activate, who does not expand, who did not come back.
 */
export const candidate_facts = laneFacts(`
SELECT
    tool_id, evidence, account_key, dev_key, of_several, 0 AS cell, 0 AS other,
    toUInt32(candidate) AS cells,
    bitOr(
        bitOr(cells, bitShiftLeft(bitAnd(bitAnd(cells, bitNot(bitShiftRight(cells, 3))), 7), 15)),
        bitOr(
            bitShiftLeft(bitAnd(bitAnd(cells, bitNot(bitShiftRight(cells, 6))), 7), 18),
            bitShiftLeft(
                bitAnd(bitShiftRight(bitAnd(cells, bitNot(bitShiftRight(cells, 3))), 9), 7), 21))
    ) AS lanes
FROM published_cohort
WHERE attempt = {attempt:UUID} AND tool_id IN {tools:Array(UUID)}`);

const periods_count = adoption_periods.length;

/** Lanes of what is left of the whole without a part, in their order. */
const rests: readonly CohortPart[] = ['activated', 'expanding', 'retention'];

/** A series and what it would like to show; parts without anybody are left out. */
export interface SeriesCandidates extends SeriesName {
  readonly candidates: readonly CandidateFacts[];
}

/** The counts of every series of some tools that has links in an attempt. */
export async function readCandidates(
  clickhouse: Clickhouse,
  attempt: string,
  tools: readonly string[],
): Promise<SeriesCandidates[]> {
  const rows = await clickhouse.rows<LaneRow>(candidate_facts, { attempt, tools });
  const bySeries = new Map<string, { name: SeriesName; lanes: Map<number, CohortFacts> }>();
  for (const row of rows) {
    const name = { toolId: row.tool, label: row.evidence };
    const series = bySeries.get(seriesKey(name)) ?? { name, lanes: new Map() };
    series.lanes.set(row.lane, factsFrom(row));
    bySeries.set(seriesKey(name), series);
  }
  return [...bySeries.values()].map(({ name, lanes }) => ({
    ...name,
    candidates: adoption_periods
      .flatMap((period) => cohort_parts.map((part) => candidate(lanes, period, part)))
      .filter((facts) => countedGroup(facts).developers > 0),
  }));
}

function candidate(
  lanes: ReadonlyMap<number, CohortFacts>,
  period: AdoptionPeriod,
  part: CohortPart,
): CandidateFacts {
  const at = (lane: number): CohortFacts => lanes.get(lane) ?? nobody;
  const isRetention = part === 'retention';
  const rest = link_cells_count + linkCell('all', period) + rests.indexOf(part) * periods_count;
  return {
    period,
    part,
    whole: at(linkCell(isRetention ? 'awaited' : 'all', period)),
    cohort: at(linkCell(isRetention ? 'returned' : part, period)),
    rest: part === 'all' ? nobody : at(rest),
  };
}
