import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { nobody, type CohortFacts } from '#domain/adoption/cohort-facts.js';
import type { CohortDifference } from '#domain/adoption/series.js';
import { evidence_type } from '../column-types.js';
import { comparisonsOf, type Comparison, type PlacedSeries } from './comparisons.js';
import { factsFrom, laneFacts, type LaneRow } from './lane-facts.js';
import { packed } from './packed.js';
import { seriesKey, type SeriesName } from './series-name.js';

/**
 * Links that are in exactly one of two cohorts, a candidate of `cell` and one of `other`: a lane
 * for each published cohort, and the last lane for the candidate of `other` itself. Cohorts of
 * retention (cells from 9 on) are told apart by who came back, three cells further, too.
 */
export const cohort_differences = laneFacts(`
SELECT
    tool_id, evidence, account_key, dev_key, of_several, cell, other,
    toUInt32(if(bitTest(candidate, cell), 4294967295, 0)) AS mine,
    bitOr(published[other + 1], bitShiftLeft(toUInt32(bitTest(candidate, other)), 31)) AS theirs,
    toUInt32(if(bitTest(candidate, cell + 3), 4294967295, 0)) AS my_returns,
    bitOr(published[other + 4], bitShiftLeft(toUInt32(bitTest(candidate, other + 3)), 31))
        AS their_returns,
    bitAnd(
        wanted,
        bitOr(bitXor(mine, theirs), if(cell >= 9, bitXor(my_returns, their_returns), 0))
    ) AS lanes
FROM published_cohort
INNER JOIN
(
    SELECT
        toUUID(comparison.1) AS tool_id,
        CAST(comparison.2 AS ${evidence_type}) AS evidence,
        comparison.3 AS cell,
        comparison.4 AS other,
        comparison.5 AS wanted
    FROM
    (
        SELECT arrayJoin(JSONExtract(
            {comparisons:String}, 'Array(Tuple(String, String, UInt8, UInt8, UInt32))'
        )) AS comparison
    )
) AS comparisons USING (tool_id, evidence)
WHERE attempt = {attempt:UUID} AND tool_id IN {tools:Array(UUID)}`);

export const series_links = `
SELECT toString(tool_id) AS tool, evidence, toUInt32(count()) AS links
FROM published_cohort
WHERE attempt = {attempt:UUID}
GROUP BY tool_id, evidence`;

/** Comparisons times links of one statement: what it holds in memory grows with them. */
const compared_links_max = 500_000;

/** Comparisons of one statement: they are sent as one parameter. */
const comparisons_max = 2_000;

/** Reads how far the cohorts of an attempt are from each other and from published ones. */
export class CohortDifferencesReader {
  constructor(
    private readonly clickhouse: Clickhouse,
    private readonly attempt: string,
  ) {}

  /** The difference of every pair, by series; pairs of the same members included. */
  async differences(
    series: readonly PlacedSeries[],
  ): Promise<ReadonlyMap<string, readonly CohortDifference[]>> {
    const links = await this.linksBySeries();
    const comparisons = series.flatMap((one) => comparisonsOf(one));
    const facts = new Map<string, CohortFacts>();
    const statements = packed(comparisons, {
      weightOf: ({ of }) => links.get(seriesKey(of)) ?? 0,
      weightMax: compared_links_max,
      countMax: comparisons_max,
    });
    for (const statement of statements) await this.count(statement, facts);
    return new Map(
      series.map((one) => [
        seriesKey(one),
        comparisonsOf(one).flatMap((comparison) =>
          [...comparison.pairs].map(([lane, pair]) => ({
            ...pair,
            facts: facts.get(placeOf(comparison, lane)) ?? nobody,
          })),
        ),
      ]),
    );
  }

  private async linksBySeries(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.clickhouse.rows<LaneRow & { readonly links: number }>(series_links, {
      attempt: this.attempt,
    });
    return new Map(rows.map((row) => [seriesKey(nameOf(row)), row.links]));
  }

  private async count(
    comparisons: readonly Comparison[],
    facts: Map<string, CohortFacts>,
  ): Promise<void> {
    const asked = comparisons.map(({ of, cell, other, wanted }) => {
      return [of.toolId, of.label, cell, other, wanted];
    });
    const rows = await this.clickhouse.rows<LaneRow>(cohort_differences, {
      attempt: this.attempt,
      tools: [...new Set(comparisons.map(({ of }) => of.toolId))],
      comparisons: JSON.stringify(asked),
    });
    for (const row of rows) {
      facts.set(placeOf({ of: nameOf(row), ...row }, row.lane), factsFrom(row));
    }
  }
}

function nameOf({ tool, evidence }: Pick<LaneRow, 'tool' | 'evidence'>): SeriesName {
  return { toolId: tool, label: evidence };
}

function placeOf({ of, cell, other }: Omit<Comparison, 'wanted' | 'pairs'>, lane: number): string {
  return `${seriesKey(of)} ${cell} ${other} ${lane}`;
}
