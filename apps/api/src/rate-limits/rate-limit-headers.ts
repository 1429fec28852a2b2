import type { RateLimitPolicy } from '#domain/rate-limits/policies.js';

/** Where a caller stands in the current window. */
export interface QuotaState {
  readonly policy: RateLimitPolicy;
  readonly remaining: number;
  /** End of the window, epoch milliseconds. */
  readonly resetAt: number;
}

/**
 * Both header families: `RateLimit-Policy` and `RateLimit` as structured fields of the IETF draft
 * (`t` in seconds from now), and the older `X-RateLimit-*` (reset as seconds since 1970).
 */
export function toRateLimitHeaders(state: QuotaState, now: number): Record<string, string> {
  const { policy, remaining, resetAt } = state;
  const unit = policy.unit === 'requests' ? '' : `;qu="${policy.unit}"`;
  return {
    'ratelimit-policy': `"${policy.name}";q=${policy.limit}${unit};w=${policy.windowMs / 1000}`,
    ratelimit: `"${policy.name}";r=${remaining};t=${secondsUntil(resetAt, now)}`,
    'x-ratelimit-limit': String(policy.limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
  };
}

/** Whole seconds until `time`, at least one: the value of `Retry-After`. */
export function secondsUntil(time: number, now: number): number {
  return Math.max(1, Math.ceil((time - now) / 1000));
}
