/** Rungs of the rounding ladder (after the UK ONS): counts from `from` on round to `base`. */
const ladder = [
  { from: 0, base: 5 },
  { from: 50, base: 25 },
  { from: 250, base: 50 },
  { from: 500, base: 100 },
  { from: 1000, base: 250 },
  { from: 2500, base: 500 },
  { from: 5000, base: 1000 },
] as const;

/** A published count: the exact one lies between `lower` and `upper`, both included. */
export interface RoundedCount {
  readonly value: number;
  readonly lower: number;
  readonly upper: number;
}

export interface Rounding {
  /** Twice the base, for a cohort that one account nearly dominates. */
  readonly coarse: boolean;
  /** The publication threshold: the count is known not to be below it. */
  readonly atLeast: number;
}

/**
 * Rounds a count up the ladder: `roundCount(23, { coarse: false, atLeast: 20 })` is
 * `{ value: 25, lower: 23, upper: 27 }`. Beside the value the interval depends on how coarsely was
 * rounded, and tells that.
 */
export function roundCount(count: number, { coarse, atLeast }: Rounding): RoundedCount {
  const factor = coarse ? 2 : 1;
  const rung = ladder.findLast(({ from }) => count >= from) ?? ladder[0];
  const value = nearest(count, rung.base * factor);
  const { lower, upper } = countsRoundedTo(value, factor);
  return {
    value: Math.max(value, atLeast),
    lower: Math.max(lower, atLeast),
    upper: Math.max(upper, atLeast),
  };
}

function nearest(count: number, base: number): number {
  return Math.floor(count / base + 0.5) * base;
}

/**
 * The smallest and the largest count that round to `value`, over all rungs that can reach it; the
 * value itself is part of it, even where the next rung would round it further up.
 */
function countsRoundedTo(value: number, factor: number): { lower: number; upper: number } {
  let lower = value;
  let upper = value;
  for (const [index, { from, base }] of ladder.entries()) {
    const step = base * factor;
    if (value % step !== 0) continue;
    const rungEnd = (ladder[index + 1]?.from ?? Number.POSITIVE_INFINITY) - 1;
    const least = Math.max(from, Math.ceil(value - step / 2));
    const most = Math.min(rungEnd, Math.ceil(value + step / 2) - 1);
    if (least > most) continue;
    lower = Math.min(lower, least);
    upper = Math.max(upper, most);
  }
  return { lower, upper };
}
