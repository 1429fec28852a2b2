/** What may become of an accepted event in a projection. */
export const projected_fates = [
  'stored',
  'ahead',
  'erased',
  'pending',
  'outside_retention',
] as const;

export type ProjectedFate = (typeof projected_fates)[number];

/**
 * `missing`: no row. `misplaced`: the row was made from another record than the newest one that the
 * projection has committed. `not_erased`: the row of an erased developer.
 */
export type BrokenProjection = 'missing' | 'misplaced' | 'not_erased';

/** Where a record stands in the log. */
export interface RecordPlace {
  readonly partition: number;
  readonly offset: number;
}

export interface ProjectedFacts {
  /** The newest record of the event that the projection has committed; null when there is none. */
  readonly due: RecordPlace | null;
  /** Where the row says it comes from; null when there is no row. */
  readonly row: RecordPlace | null;
  /** The row comes from a record that the projection has not committed yet. */
  readonly rowUncommitted: boolean;
  readonly erased: boolean;
  /** The event is so old that its row may have been removed. */
  readonly expired: boolean;
}

/**
 * What became of an accepted event. Every delivery writes a row whose version is its offset, and
 * the highest stays: the row is that of the newest committed record, or of one that the projection
 * is just storing.
 */
export function projectedFateOf(facts: ProjectedFacts): ProjectedFate | BrokenProjection {
  const { due, row, rowUncommitted, erased, expired } = facts;
  if (row === null) {
    if (due === null) return 'pending';
    if (erased) return 'erased';
    return expired ? 'outside_retention' : 'missing';
  }
  if (erased) return 'not_erased';
  if (due !== null && row.partition === due.partition && row.offset === due.offset) return 'stored';
  return rowUncommitted ? 'ahead' : 'misplaced';
}
