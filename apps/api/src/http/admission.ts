import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ProblemError } from '#domain/errors.js';
import type { TrackingKeys } from '../credentials/tracking-keys.js';
import { accountOfAddress, accountOfKey } from '../rate-limits/caller.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { RequestQuota, settleUnits, spendUnits } from '../rate-limits/request-quota.js';
import { clientAddressOf } from './client-address.js';

export interface Admission {
  /** Counts requests against quotas; without it nothing is limited. */
  readonly limiter: RateLimiter | null;
  /** Verifies keys; without it endpoints that need one refuse to work. */
  readonly keys: TrackingKeys | null;
  readonly trustedProxyHops: number;
}

/**
 * Decides at the header of a request, before a byte of its body is read, who comes in and whose
 * quota pays. A request is one unit; handlers that learn of more say so with `spendUnits` or
 * `settleUnits`. What the client had already (304) costs nothing.
 */
export function addAdmission(fastify: FastifyInstance, admission: Admission): void {
  fastify.addHook('onRequest', async (request, reply) => {
    switch (request.endpoint?.access) {
      case undefined:
        return;
      case 'public':
        return chargeAddress(admission, request, reply);
      case 'trackingKey':
        return admitKey(admission, request, reply);
    }
  });
  fastify.addHook('onSend', (request, reply, _payload, done) => {
    if (reply.statusCode === 304) settleUnits(request, reply, 0);
    done();
  });
}

/**
 * A key that was verified before pays for itself. Any other is anybody's invention until the store
 * knows it: until then, and when it does not, the address pays.
 */
async function admitKey(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const { keys } = admission;
  if (keys === null) return;
  const { headers } = request;
  const key = keys.presented(headers);
  if (key === null) {
    await chargeAddress(admission, request, reply);
    throw new ProblemError('missing_token', 'Send Authorization: Bearer <TRACKING_KEY>.');
  }
  const account = accountOfKey(key.hash);
  if (keys.wasVerified(key)) {
    await charge(admission, request, reply, account);
    request.verifiedKey = keys.known(key, headers) ?? (await keys.verify(key, headers));
  } else {
    await chargeAddress(admission, request, reply);
    request.verifiedKey = await keys.verify(key, headers);
    request.quota?.settle(0);
    await charge(admission, request, reply, account);
  }
}

function chargeAddress(
  admission: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const address = clientAddressOf(request.raw, admission.trustedProxyHops);
  return charge(admission, request, reply, accountOfAddress(address));
}

async function charge(
  { limiter }: Admission,
  request: FastifyRequest,
  reply: FastifyReply,
  account: string,
): Promise<void> {
  const policy = request.endpoint?.policy ?? null;
  if (limiter === null || policy === null) return;
  request.quota = new RequestQuota(limiter, policy, account);
  await spendUnits(request, reply, 1);
}
