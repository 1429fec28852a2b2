import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { NestFactory } from '@nestjs/core';
import type { DynamicModule } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { HttpConfig } from '#runtime/http-config.js';
import type { Logger } from '#runtime/logger.js';
import { showBodyBytes } from '#runtime/metrics.js';
import type { TrackingKeys } from '../credentials/tracking-keys.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { addAdmission } from './admission.js';
import { BodyBudget } from './body-budget.js';
import { answerClientError } from './client-errors.js';
import { addCrossOriginRules } from './cross-origin.js';
import { EndpointTable, type Endpoint } from './endpoint.js';
import { ProblemFilter } from './problem.filter.js';
import { addRequestBodies } from './request-bodies.js';
import { addReadyReads, type ReadyPages } from './ready-reads.js';
import { requestIdOf } from './request-id.js';
import { addRequestLog, RequestLog } from './request-log.js';
import { addRequestMembers } from './request-members.js';
import { answerUnroutable } from './unroutable.js';

export interface ServerOptions {
  readonly bodyBytesMax: number;
  readonly baseUrl: () => string;
  readonly logger: Logger;
  /** What is agreed on the endpoints; none by default. */
  readonly endpoints?: readonly Endpoint[];
  /** Counts requests against quotas; without it nothing is limited. */
  readonly limiter?: RateLimiter;
  /** Verifies keys; without it endpoints that need one do not work. */
  readonly keys?: TrackingKeys;
  /** Pages that need no router; none by default. */
  readonly readyPages?: ReadyPages;
  readonly settings?: HttpConfig;
}

class DefaultHttpConfig extends HttpConfig {}

const keep_alive_ms = 65_000;
const header_bytes_max = 16 * 1024;
const connections_max = 10_000;
/** How often Node looks for requests that take too long, at most. */
const late_check_ms_max = 5_000;

/** A Nest application on Fastify that hands request bodies over as they were received. */
export async function createServer(
  module: DynamicModule,
  options: ServerOptions,
): Promise<NestFastifyApplication> {
  const settings = options.settings ?? new DefaultHttpConfig();
  const adapter = createAdapter(options, settings);
  const fastify: FastifyInstance = adapter.getInstance();
  const endpoints = new EndpointTable(options.endpoints ?? []);
  const budget = new BodyBudget(settings.bodyBytesInFlightMax);
  showBodyBytes(() => budget.bytesHeld);
  const log = new RequestLog(options.logger, settings.requestLogLevel);
  addRequestLog(fastify, log);
  addRequestMembers(fastify, endpoints);
  addCrossOriginRules(fastify, endpoints);
  const { limiter = null, keys = null, readyPages: pages = null } = options;
  const { trustedProxyHops } = settings;
  addAdmission(fastify, { limiter, keys, trustedProxyHops });
  if (limiter !== null && pages !== null) {
    addReadyReads(fastify, { pages, endpoints, limiter, trustedProxyHops, log });
  }
  addRequestBodies(fastify, options.bodyBytesMax, budget);
  const filter = new ProblemFilter(options.baseUrl, options.logger);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    bodyParser: false,
    logger: false,
    abortOnError: false,
  });
  app.useGlobalFilters(filter);
  fastify.server.maxConnections = connections_max;
  return app;
}

function createAdapter(options: ServerOptions, settings: HttpConfig): FastifyAdapter {
  const { headersWaitMsMax, requestWaitMsMax } = settings;
  return new FastifyAdapter({
    requestTimeout: requestWaitMsMax,
    connectionTimeout: 0,
    keepAliveTimeout: keep_alive_ms,
    http: {
      // Node compares the other limit with this one, before Fastify sets it.
      requestTimeout: requestWaitMsMax,
      headersTimeout: Math.min(headersWaitMsMax, requestWaitMsMax),
      connectionsCheckingInterval: Math.min(late_check_ms_max, headersWaitMsMax),
      maxHeaderSize: header_bytes_max,
      requireHostHeader: false,
    },
    // No part of a path is too long for the router: what nobody knows is 404, however long.
    routerOptions: { maxParamLength: header_bytes_max },
    frameworkErrors: answerUnroutable(options.baseUrl),
    clientErrorHandler: answerClientError(options.baseUrl),
    genReqId: requestIdOf,
    // What still arrives on an open connection while this process stops is served, and the
    // connection closed after it: Fastify's own 503 would be no problem document.
    return503OnClosing: false,
  });
}
