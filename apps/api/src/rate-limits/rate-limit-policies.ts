import {
  rate_limit_units,
  type RateLimitPolicy,
  type RateLimitPolicyName,
} from '#domain/rate-limits/policies.js';
import type { HttpConfig } from '#runtime/http-config.js';

export type RateLimitPolicies = Readonly<Record<RateLimitPolicyName, RateLimitPolicy>>;

/** The policies with the numbers of this process's configuration. */
export function rateLimitPolicies(config: HttpConfig): RateLimitPolicies {
  return {
    'public-read': toPolicy('public-read', config.rateLimitPublicRead),
    tracking: toPolicy('tracking', config.rateLimitTracking),
    relay: toPolicy('relay', config.rateLimitRelay),
    intake: toPolicy('intake', config.rateLimitIntake),
    workflow: toPolicy('workflow', config.rateLimitWorkflow),
  };
}

/**
 * What the body of a cacheable answer says of its limit. What remains differs from caller to caller
 * and is therefore in the headers only.
 */
export function describePolicy({ name, unit, limit, windowMs }: RateLimitPolicy) {
  return { policy: name, limit, unit, windowSeconds: windowMs / 1000, current: 'RateLimit' };
}

/** `'3000/60'`: 3 000 units in windows of 60 seconds; the configuration has checked the form. */
function toPolicy(name: RateLimitPolicyName, quota: string): RateLimitPolicy {
  const [limit, seconds] = quota.split('/').map(Number) as [number, number];
  return { name, unit: rate_limit_units[name], limit, windowMs: seconds * 1000 };
}
