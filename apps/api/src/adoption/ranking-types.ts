/** The forms of a ranking page, the usual one first. */
export const ranking_types = ['application/json', 'text/csv'] as const;

export type RankingType = (typeof ranking_types)[number];
