import { adoption_periods, type AdoptionPeriod } from '#domain/adoption/period.js';
import type { CohortPart } from '#domain/adoption/series.js';

/**
 * A link is in cells: one for each group of developers and period, three neighbouring numbers a
 * group, for 7, 30 and 90 days. The numbers are stored: append groups, never reorder them.
 */
export const link_groups = ['all', 'activated', 'expanding', 'awaited', 'returned'] as const;

export type LinkGroup = (typeof link_groups)[number];

export const link_cells_count = link_groups.length * adoption_periods.length;

/** The number of a cell: `linkCell('activated', '30d') === 4`. */
export function linkCell(group: LinkGroup, period: AdoptionPeriod): number {
  return link_groups.indexOf(group) * adoption_periods.length + adoption_periods.indexOf(period);
}

/** Every group in which the members of a cohort of this part are remembered. */
export function groupsOf(part: CohortPart): readonly LinkGroup[] {
  return part === 'retention' ? ['awaited', 'returned'] : [part];
}

/** Cohorts of one cell that are told apart in one number, a bit for each. */
export const lanes_count = 32;

/** Published cohorts of a cell; the last lane is taken by the cohort that is not published yet. */
export const slots_max = lanes_count - 1;

export const candidate_lane = lanes_count - 1;
