/** What a quota of a policy is counted in. */
export type QuotaUnit = 'requests' | 'events';

/** Every rate-limit policy and its unit; which endpoint has which is in the table of endpoints. */
export const rate_limit_units = {
  'public-read': 'requests',
  tracking: 'events',
  relay: 'events',
  intake: 'requests',
  workflow: 'requests',
} as const satisfies Readonly<Record<string, QuotaUnit>>;

export type RateLimitPolicyName = keyof typeof rate_limit_units;

/** A policy with its numbers: at most `limit` units per caller in each window. */
export interface RateLimitPolicy {
  readonly name: RateLimitPolicyName;
  readonly unit: QuotaUnit;
  readonly limit: number;
  /** Windows begin at multiples of this since 1970, the same on every instance. */
  readonly windowMs: number;
}

/** Begin of the window around `now`: `windowStartOf(90_500, 60_000) === 60_000`. */
export function windowStartOf(now: number, windowMs: number): number {
  return now - (now % windowMs);
}
