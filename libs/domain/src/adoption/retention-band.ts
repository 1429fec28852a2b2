/** Share of developers who returned, in percent: both edges are multiples of five. */
export interface RetentionBand {
  /** 0 for the lowest band, which reaches up to 10. */
  readonly lower: number;
  /** 100 for the highest band, which begins at 90. */
  readonly upper: number;
}
