import type { FastifyInstance } from 'fastify';
import { ProblemError } from '#domain/errors.js';
import { allowedMethods, type Endpoint, type EndpointTable } from './endpoint.js';

const exposed = [
  'Content-Disposition',
  'ETag',
  'Link',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
].join(', ');

const preflight = {
  'access-control-allow-headers': 'Accept, Content-Type, If-None-Match, traceparent, X-Request-Id',
  'access-control-max-age': '86400',
};

/**
 * Who may read answers from a page of another origin: everybody, where nobody needs a credential;
 * nobody, where one does. Also answers OPTIONS, and 405 with `Allow` at addresses that exist.
 */
export function addCrossOriginRules(fastify: FastifyInstance, endpoints: EndpointTable): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.endpoint?.crossOrigin === true) void reply.headers(readable_headers);
    if (!request.is404) return done();
    const here = endpoints.at(request.url);
    if (here.length === 0) return done();
    void reply.header('allow', allowedMethods(here));
    if (request.method === 'OPTIONS') {
      void reply.status(204).headers(preflightOf(here)).send();
      return;
    }
    done(new ProblemError('method_not_allowed', `${request.method} is not taken here.`));
  });
}

/** What pages of any origin need to read an answer and its limits. */
export const readable_headers = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': exposed,
};

function preflightOf(endpoints: readonly Endpoint[]): Readonly<Record<string, string>> {
  const open = endpoints.filter(({ crossOrigin }) => crossOrigin);
  if (open.length === 0) return {};
  const methods = allowedMethods(open);
  return { ...readable_headers, ...preflight, 'access-control-allow-methods': methods };
}
