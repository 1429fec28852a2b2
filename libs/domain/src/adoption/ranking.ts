import type { AdoptionRow } from './adoption-row.js';

/**
 * Published rows by score, ties by slug, numbered from 1; then the rows without figures by slug.
 * Only published numbers decide.
 */
export function ranked(
  rows: readonly AdoptionRow[],
  previousRanks: ReadonlyMap<string, number>,
): AdoptionRow[] {
  const published = rows
    .filter(({ status }) => status === 'published')
    .sort((a, b) => b.score!.value - a.score!.value || bySlug(a, b))
    .map((row, index) => withRank(row, index + 1, previousRanks));
  return [...published, ...rows.filter(({ status }) => status !== 'published').sort(bySlug)];
}

function withRank(
  row: AdoptionRow,
  rank: number,
  previousRanks: ReadonlyMap<string, number>,
): AdoptionRow {
  const previousEpochRank = row.tool.id === null ? undefined : previousRanks.get(row.tool.id);
  const trend =
    previousEpochRank === undefined
      ? null
      : { previousEpochRank, change: previousEpochRank - rank };
  return { ...row, rank, trend };
}

function bySlug(a: AdoptionRow, b: AdoptionRow): number {
  return a.tool.slug < b.tool.slug ? -1 : a.tool.slug > b.tool.slug ? 1 : 0;
}
