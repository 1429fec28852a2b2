import type { FastifyInstance } from 'fastify';
import { ProblemError, type ErrorCode } from '#domain/errors.js';
import type { VerifiedKey } from '../credentials/tracking-keys.js';
import type { RequestQuota } from '../rate-limits/request-quota.js';
import type { BodyShare } from './body-budget.js';
import type { Endpoint, EndpointTable } from './endpoint.js';
import { hostsNamed } from './host-field.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What is agreed on the endpoint; null where nothing is. */
    endpoint: Endpoint | null;
    /** The body as it was received, before decompression: what a signature is computed over. */
    rawBody: Buffer | null;
    /** What the body takes of the memory for bodies; null without a body. */
    bodyShare: BodyShare | null;
    /** The key that admitted the request; null where none is needed. */
    verifiedKey: VerifiedKey | null;
    /** The caller's quota; null where requests are not limited. */
    quota: RequestQuota | null;
    /** Code of the problem that was answered, for the log. */
    problemCode: ErrorCode | null;
  }
}

/** Members that every request has, so that all requests keep one shape. */
export function addRequestMembers(fastify: FastifyInstance, endpoints: EndpointTable): void {
  fastify.decorateRequest('endpoint', null);
  fastify.decorateRequest('rawBody', null);
  fastify.decorateRequest('bodyShare', null);
  fastify.decorateRequest('verifiedKey', null);
  fastify.decorateRequest('quota', null);
  fastify.decorateRequest('problemCode', null);
  fastify.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) endpoints.refuseUndescribed(one, url);
  });
  fastify.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id);
    const hosts = hostsNamed(request.raw);
    if (hosts > 1 || (hosts === 0 && request.raw.httpVersion === '1.1')) {
      // Node itself would refuse none without a word, and take the first of several.
      void reply.header('connection', 'close');
      const detail = `The request names ${hosts === 0 ? 'no host' : 'more than one host'}.`;
      return done(new ProblemError('malformed_request', detail));
    }
    request.endpoint = endpoints.ofRoute(request.method, request.routeOptions.url);
    const personal = request.endpoint !== null && request.endpoint.access !== 'public';
    if (personal) void reply.header('cache-control', 'no-store');
    done();
  });
}
