import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { observeRequest } from '#runtime/metrics.js';
import type { Logger } from '#runtime/logger.js';
import { traceparentOf } from './trace-context.js';

export type RequestLogLevel = 'info' | 'debug' | 'trace' | 'silent';

/** How a request ended. */
export interface RequestOutcome {
  readonly id: string;
  /** Pattern of the endpoint; null for an address that leads nowhere. */
  readonly route: string | null;
  readonly status: number;
  /** Code of the problem that was answered. */
  readonly code: string | null;
  readonly bodyBytes: number;
}

const probes = new Set(['/healthz', '/readyz', '/metrics']);
/** Addresses that lead nowhere share one label: callers could invent any number of them. */
const nowhere = 'unmatched';

/** One line and one observation per request. */
export class RequestLog {
  private readonly lines: Logger;

  constructor(
    logger: Logger,
    private readonly level: RequestLogLevel,
  ) {
    // The line is made of members that hold no secret; looking for some costs as much again.
    this.lines = logger.child({}, { redact: [] });
  }

  /**
   * For when the answer is out or the client gone. Neither query nor header nor body appears; the
   * path does, for routes keep secrets out of it.
   */
  record(request: IncomingMessage, outcome: RequestOutcome, durationMs: number): void {
    const { method = '', url = '' } = request;
    const { id, status, code, bodyBytes } = outcome;
    const route = outcome.route ?? nowhere;
    observeRequest({ method, route, status }, durationMs);
    const level = probes.has(route) ? 'debug' : this.level;
    if (!this.lines.isLevelEnabled(level)) return;
    const line = {
      requestId: id,
      traceparent: traceparentOf(request.headers),
      method,
      path: url.split('?', 1)[0],
      status,
      code,
      durationMs: Math.round(durationMs * 1000) / 1000,
      bodyBytes,
    };
    this.lines[level](line, 'request');
  }
}

/** Records what the router answers. */
export function addRequestLog(fastify: FastifyInstance, log: RequestLog): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.raw.once('close', () => {
      const outcome = {
        id: request.id,
        route: request.endpoint?.path ?? null,
        status: reply.statusCode,
        code: request.problemCode,
        bodyBytes: request.bodyShare?.bytesHeld ?? 0,
      };
      log.record(request.raw, outcome, reply.elapsedTime);
    });
    done();
  });
}
