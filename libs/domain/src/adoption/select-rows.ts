import { missingRow, type AdoptionRow } from './adoption-row.js';

/** Which rows of a period somebody asked for. */
export interface RowFilter {
  readonly category: string | null;
  readonly tool: string | null;
  /** Matching rows that are passed over; none by default. */
  readonly offset?: number;
  readonly limit: number;
}

export interface RowSelection {
  readonly rows: readonly AdoptionRow[];
  /** Rows that match, whatever offset and limit. */
  readonly total: number;
  /** How many of those carry no figures; never by reason. */
  readonly suppressed: number;
}

/**
 * The rows of a period that match, in their order. A row is the same in every selection, its rank
 * included. A tool that no row has is answered with a row that says so, because its absence would
 * read as "not used"; a category that no row has is empty.
 */
export function selectRows(
  rows: readonly AdoptionRow[],
  { category, tool, offset = 0, limit }: RowFilter,
): RowSelection {
  const known = tool === null || rows.some((row) => row.tool.slug === tool);
  const matching = known
    ? rows.filter(
        (row) =>
          (tool === null || row.tool.slug === tool) &&
          (category === null || row.tool.categorySlug === category),
      )
    : [missingRow(tool)];
  return {
    rows: matching.slice(offset, offset + limit),
    total: matching.length,
    suppressed: matching.filter(({ status }) => status === 'insufficient_data').length,
  };
}
