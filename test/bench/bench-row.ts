/** What a ratio is to reach: the bar of this version and the one after it. */
export interface Bar {
  readonly kind: 'at most' | 'at least';
  readonly now: number;
  readonly next: number | null;
}

/** One figure of the bench with what it is compared to. */
export interface BenchRow {
  readonly figure: string;
  readonly measured: string;
  readonly baseline: string;
  /** The figure that the bar is about: a ratio, unless `unit` says otherwise. */
  readonly value: number;
  readonly unit: '' | 'ms' | '/s' | 's' | 'MiB';
  readonly bar: Bar | null;
  /** What else was seen, a line each. */
  readonly notes: readonly string[];
}

/** Whether a value reaches `limit`; null without one, or when it could not be measured. */
export function reaches(value: number, bar: Bar, limit: number | null): boolean | null {
  if (limit === null || Number.isNaN(value)) return null;
  return bar.kind === 'at most' ? value <= limit : value >= limit;
}
