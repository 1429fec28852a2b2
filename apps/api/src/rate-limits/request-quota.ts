import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '#domain/errors.js';
import type { RateLimitPolicyName } from '#domain/rate-limits/policies.js';
import { countRateLimited } from '#runtime/metrics.js';
import { secondsUntil, toRateLimitHeaders } from './rate-limit-headers.js';
import type { RateLimiter } from './rate-limiter.js';

/** The quota of one request's caller, and what this request has spent of it. */
export class RequestQuota {
  private spent = 0;

  constructor(
    private readonly limiter: RateLimiter,
    private readonly policy: RateLimitPolicyName,
    private readonly caller: string,
  ) {}

  /**
   * Spends up to `units` for the whole request.
   * @throws ProblemError `rate_limited` when they are not there; then nothing more is spent.
   */
  async spend(units: number): Promise<void> {
    const missing = units - this.spent;
    if (missing <= 0) return;
    if (!(await this.limiter.spend(this.policy, this.caller, missing))) throw this.refusal();
    this.spent = units;
  }

  /** Corrects what the whole request has spent, once it is known; never refuses. */
  settle(units: number): void {
    const missing = units - this.spent;
    if (missing > 0) this.limiter.settle(this.policy, this.caller, missing);
    else if (missing < 0) this.limiter.refund(this.policy, this.caller, -missing);
    this.spent = units;
  }

  /** The header fields that tell where the caller stands now. */
  headers(): Record<string, string> {
    return toRateLimitHeaders(this.limiter.stateOf(this.policy, this.caller), Date.now());
  }

  private refusal(): ProblemError {
    countRateLimited(this.policy);
    const { policy, resetAt } = this.limiter.stateOf(this.policy, this.caller);
    const seconds = policy.windowMs / 1000;
    return new ProblemError(
      'rate_limited',
      `At most ${policy.limit} ${policy.unit} are taken in ${seconds} s; this request was refused.`,
      {
        retryAfterSeconds: secondsUntil(resetAt, Date.now()),
        members: { policy: policy.name, limit: policy.limit, windowSeconds: seconds },
      },
    );
  }
}

/** The request stands for so many units, known before anything is done; may throw 429. */
export async function spendUnits(
  request: FastifyRequest,
  reply: FastifyReply,
  units: number,
): Promise<void> {
  if (request.quota === null) return;
  try {
    await request.quota.spend(units);
  } finally {
    void reply.headers(request.quota.headers());
  }
}

/** The request stood for so many units, known after the fact. */
export function settleUnits(request: FastifyRequest, reply: FastifyReply, units: number): void {
  if (request.quota === null) return;
  request.quota.settle(units);
  void reply.headers(request.quota.headers());
}
