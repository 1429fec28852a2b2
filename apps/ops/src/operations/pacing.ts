/** Steps of unlimited operations, in units. */
const step_units_max = 500;
/** A slow moment is made up for by at most this much of haste. */
const credit_seconds_max = 1;

/** How far an operation is ahead of its rate (negative: units that are owed) and since when. */
export interface Pace {
  readonly credit: number;
  /** Epoch milliseconds. */
  readonly at: number;
}

/**
 * The pace after `units` more, and how many milliseconds to wait until they are paid for at `rate`
 * units a second. `spend({ credit: 0, at: 0 }, 50, 100, 0)` → wait 500 ms.
 */
export function spend(
  { credit, at }: Pace,
  units: number,
  rate: number,
  now: number,
): { readonly pace: Pace; readonly waitMs: number } {
  const earned = (Math.max(0, now - at) / 1000) * rate;
  const left = Math.min(credit + earned, rate * credit_seconds_max) - units;
  return { pace: { credit: left, at: now }, waitMs: left >= 0 ? 0 : (-left / rate) * 1000 };
}

/** Steps of about half a second at a rate: 1 at 1/s, 50 at 100/s, at most 500. */
export function stepUnits(rate: number | undefined): number {
  if (rate === undefined) return step_units_max;
  return Math.min(step_units_max, Math.max(1, Math.floor(rate / 2)));
}

/** Seconds until `left` units are done, as fast as `done` were in `elapsedMs`; null: unknown. */
export function secondsLeft(done: number, left: number, elapsedMs: number): number | null {
  if (left <= 0) return 0;
  return done <= 0 || elapsedMs <= 0 ? null : Math.ceil((left * elapsedMs) / done / 1000);
}
