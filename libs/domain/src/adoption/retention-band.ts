/** Share of developers who came back, in percent. */
export interface RetentionBand {
  /** 0 for the lowest band, which reaches up to 10. */
  readonly lower: number;
  /** Excluded; 100 for the highest band, which begins at 90 and includes it. */
  readonly upper: number;
}

const band_percent = 5;
const lowest_end = 10;
const highest_start = 90;

/** The band of a share: `retentionBand(29, 50)` is `{ lower: 55, upper: 60 }`. */
export function retentionBand(returned: number, awaited: number): RetentionBand {
  const lower = Math.floor((returned * 100) / awaited / band_percent) * band_percent;
  if (lower < lowest_end) return { lower: 0, upper: lowest_end };
  if (lower >= highest_start) return { lower: highest_start, upper: 100 };
  return { lower, upper: lower + band_percent };
}
