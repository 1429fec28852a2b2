import type { FastifyInstance } from 'fastify';
import { callerOf } from './caller.js';
import type { RateLimiter } from './rate-limiter.js';
import { RequestQuota, settleUnits, spendUnits } from './request-quota.js';

/**
 * Counts every request to a limited endpoint as one unit before its body is read, and tells on
 * every answer where the caller stands. Handlers that learn of more units say so with `spendUnits`
 * or `settleUnits`. What the client had already (304) costs nothing.
 */
export function addRateLimits(
  fastify: FastifyInstance,
  limiter: RateLimiter,
  trustedProxyHops: number,
): void {
  fastify.addHook('onRequest', async (request, reply) => {
    const { endpoint } = request;
    if (endpoint === null || endpoint.policy === null) return;
    const caller = callerOf(request.raw, endpoint, trustedProxyHops);
    request.quota = new RequestQuota(limiter, endpoint.policy, caller);
    await spendUnits(request, reply, 1);
  });
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 304) settleUnits(request, reply, 0);
    done();
  });
}
