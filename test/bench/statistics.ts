/** The middle value; of an even number the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value that a share of all does not exceed; NaN without values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

/** Median of the ratios of windows that ran one after the other. */
export function medianRatio(measured: readonly number[], baseline: readonly number[]): number {
  return median(measured.map((value, index) => value / baseline[index]!));
}

/**
 * Runs every contestant once per window, in turn, so that what disturbs the machine for a while
 * disturbs all of them alike. The answer has the windows of each contestant in order.
 */
export async function interleave<Contestants extends Contest>(
  windows: number,
  contestants: Contestants,
): Promise<Windows<Contestants>> {
  const names = Object.keys(contestants);
  const measured: Record<string, unknown[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let window = 0; window < windows; window += 1) {
    for (const name of names) measured[name]!.push(await contestants[name]!());
  }
  return measured as Windows<Contestants>;
}

type Contest = Readonly<Record<string, () => Promise<unknown>>>;

/** What each contestant answered, window by window. */
type Windows<Contestants extends Contest> = {
  readonly [Name in keyof Contestants]: Awaited<ReturnType<Contestants[Name]>>[];
};
