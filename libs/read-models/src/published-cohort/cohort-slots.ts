import type { CohortId, PublishedCohort } from '#domain/adoption/series.js';
import { groupsOf, link_cells_count, linkCell, slots_max } from './link-cells.js';

/** Which bit of the links of a cell means which published cohort. */
export type CohortSlots = Readonly<Record<CohortId, number>>;

/** How the links of one attempt become those of the next, by cell. */
export interface LinkChange {
  /** Bits of cohorts that stay. */
  readonly kept: readonly number[];
  /** The bit that the links of a cohort that was published now get; 0 for none. */
  readonly added: readonly number[];
  readonly slots: CohortSlots;
}

/**
 * Gives each published cohort a slot of its cell: the one that it had, or a free one. Of each cell
 * at most one cohort is new, the one of this epoch.
 * @throws Error when more cohorts of one cell are kept than there are slots.
 */
export function changeSlots(
  before: CohortSlots,
  published: readonly PublishedCohort[],
): LinkChange {
  const kept = Array.from({ length: link_cells_count }, () => 0);
  const added = [...kept];
  const slots: Record<CohortId, number> = {};
  const isOld = ({ id }: PublishedCohort) => before[id] !== undefined;
  for (const cohort of published.filter(isOld)) {
    const slot = before[cohort.id]!;
    slots[cohort.id] = slot;
    for (const cell of cellsOf(cohort)) kept[cell] = withBit(kept[cell]!, slot);
  }
  for (const cohort of published.filter((one) => !isOld(one))) {
    const cells = cellsOf(cohort);
    const slot = freeBit(kept[cells[0]!]!);
    slots[cohort.id] = slot;
    for (const cell of cells) added[cell] = withBit(0, slot);
  }
  return { kept, added, slots };
}

/** The cells in whose links the members of a cohort are remembered. */
export function cellsOf({ part, period }: Pick<PublishedCohort, 'part' | 'period'>): number[] {
  return groupsOf(part).map((group) => linkCell(group, period));
}

/** A number with one more bit, without a sign: `withBit(0, 31) === 2 ** 31`. */
export function withBit(bits: number, bit: number): number {
  return (bits | (1 << bit)) >>> 0;
}

function freeBit(taken: number): number {
  const free = Array.from({ length: slots_max }, (_, slot) => slot).find(
    (slot) => (taken & (1 << slot)) === 0,
  );
  if (free === undefined) throw new Error(`A cell keeps at most ${slots_max} published cohorts.`);
  return free;
}
