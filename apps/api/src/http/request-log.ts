import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { observeRequest } from '#runtime/metrics.js';
import type { Logger } from '#runtime/logger.js';
import { traceparentOf } from './trace-context.js';

export type RequestLogLevel = 'info' | 'debug' | 'trace' | 'silent';

const probes = new Set(['/healthz', '/readyz', '/metrics']);
/** Addresses that lead nowhere share one label: callers could invent any number of them. */
const nowhere = 'unmatched';

/**
 * One line and one observation per request, when its answer is out or its client is gone. Neither
 * query nor header nor body appears; the path does, for routes keep secrets out of it.
 */
export function addRequestLog(
  fastify: FastifyInstance,
  logger: Logger,
  level: RequestLogLevel,
): void {
  // The line is made of members that hold no secret; looking for some in it costs as much again.
  const lines = logger.child({}, { redact: [] });
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => record(request, reply));
    done();
  });
  const record = (request: FastifyRequest, reply: FastifyReply): void => {
    const route = request.endpoint?.path ?? nowhere;
    const status = reply.statusCode;
    observeRequest({ method: request.method, route, status }, reply.elapsedTime);
    const line = probes.has(route) ? 'debug' : level;
    if (lines.isLevelEnabled(line)) lines[line](toLine(request, reply), 'request');
  };
}

function toLine(request: FastifyRequest, reply: FastifyReply): object {
  return {
    requestId: request.id,
    traceparent: traceparentOf(request.headers),
    method: request.method,
    path: request.url.split('?', 1)[0],
    status: reply.statusCode,
    code: request.problemCode,
    durationMs: Math.round(reply.elapsedTime * 1000) / 1000,
    bodyBytes: request.bodyShare?.bytesHeld ?? 0,
  };
}
