import type { CohortPair } from '#domain/adoption/pairs-to-compare.js';
import { adoption_periods } from '#domain/adoption/period.js';
import {
  cohortId,
  cohort_parts,
  type CohortId,
  type PublishedCohort,
} from '#domain/adoption/series.js';
import { cellsOf, withBit, type CohortSlots } from './cohort-slots.js';
import { candidate_lane } from './link-cells.js';
import type { SeriesName } from './series-name.js';

/** A series, the pairs to compare, and where the cohorts of the pairs are. */
export interface PlacedSeries extends SeriesName {
  readonly epoch: number;
  readonly pairs: readonly CohortPair[];
  readonly published: readonly PublishedCohort[];
  readonly slots: CohortSlots;
}

/** One candidate against up to 32 cohorts of one cell. */
export interface Comparison {
  readonly of: SeriesName;
  readonly cell: number;
  readonly other: number;
  /** A bit for each lane that is asked for. */
  readonly wanted: number;
  /** Lane → the pair that it stands for. */
  readonly pairs: ReadonlyMap<number, CohortPair>;
}

/** Where the members of a cohort are: a cell of the links and a lane of it. */
interface Place {
  readonly cell: number;
  readonly lane: number;
}

/**
 * Gathers the pairs of a series so that one pass over its links answers many of them.
 * @throws Error when a pair names a cohort that is neither a candidate nor published.
 */
export function comparisonsOf(series: PlacedSeries): Comparison[] {
  const places = placesOf(series);
  const byCells = new Map<
    string,
    { cell: number; other: number; pairs: Map<number, CohortPair> }
  >();
  for (const pair of series.pairs) {
    const [{ cell }, { cell: other, lane }] = [pair.candidate, pair.other].map((id) => {
      const place = places.get(id);
      if (place === undefined) throw new Error(`Nobody knows the members of ${id}.`);
      return place;
    }) as [Place, Place];
    const key = `${cell} ${other}`;
    const comparison = byCells.get(key) ?? { cell, other, pairs: new Map<number, CohortPair>() };
    comparison.pairs.set(lane, pair);
    byCells.set(key, comparison);
  }
  const of = { toolId: series.toolId, label: series.label };
  return [...byCells.values()].map((comparison) => {
    return { of, ...comparison, wanted: [...comparison.pairs.keys()].reduce(withBit, 0) };
  });
}

function placesOf({ epoch, published, slots }: PlacedSeries): ReadonlyMap<CohortId, Place> {
  const places = new Map<CohortId, Place>();
  for (const cohort of published) {
    const lane = slots[cohort.id];
    if (lane !== undefined) places.set(cohort.id, { cell: cellsOf(cohort)[0]!, lane });
  }
  for (const period of adoption_periods) {
    for (const part of cohort_parts) {
      const cell = cellsOf({ period, part })[0]!;
      places.set(cohortId(epoch, period, part), { cell, lane: candidate_lane });
    }
  }
  return places;
}
