import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { RateLimitPolicyName } from '#domain/rate-limits/policies.js';
import type { RenderedPage } from '../pages/rendered-page.js';
import { accountOfAddress } from '../rate-limits/caller.js';
import { toRateLimitHeaders } from '../rate-limits/rate-limit-headers.js';
import type { RateLimiter } from '../rate-limits/rate-limiter.js';
import { cacheable_headers, holdsTag } from './cacheable-answer.js';
import { clientAddressOf } from './client-address.js';
import { readable_headers } from './cross-origin.js';
import type { EndpointTable } from './endpoint.js';
import { hostsNamed } from './host-field.js';
import { requestIdOf } from './request-id.js';
import type { RequestLog } from './request-log.js';

/** Pages that are in memory already. */
export interface ReadyPages {
  /** Paths of the endpoints that answer with them. */
  readonly paths: readonly string[];

  /**
   * The page of a query, `''` or from its question mark on, in the form that is accepted; null
   * where the endpoint is asked.
   */
  find(query: string, accept: string | undefined): RenderedPage | null;
}

interface ReadyReadsOptions {
  readonly pages: ReadyPages;
  readonly endpoints: EndpointTable;
  readonly limiter: RateLimiter;
  readonly trustedProxyHops: number;
  readonly log: RequestLog;
}

/** What of the answers of one endpoint is always the same. */
interface ReadyEndpoint {
  readonly policy: RateLimitPolicyName;
  readonly path: string;
}

const always = Object.entries({ ...readable_headers, ...cacheable_headers }).flat();

/**
 * Answers reads whose page is in memory, before the router is asked and with the same answer. All
 * that is out of the ordinary is left to the endpoint, above all a caller without quota.
 */
export function addReadyReads(fastify: FastifyInstance, options: ReadyReadsOptions): void {
  const reads = new ReadyReads(options);
  let stopping = false;
  fastify.addHook('preClose', (done) => {
    stopping = true;
    done();
  });
  fastify.server.removeAllListeners('request');
  fastify.server.on('request', (request, response) => {
    if (stopping || !reads.answer(request, response)) fastify.routing(request, response);
  });
}

class ReadyReads {
  private readonly endpoints = new Map<string, ReadyEndpoint>();

  constructor(private readonly options: ReadyReadsOptions) {
    for (const path of options.pages.paths) {
      const endpoint = options.endpoints.ofRoute('GET', path);
      if (endpoint?.policy != null) this.endpoints.set(path, { path, policy: endpoint.policy });
    }
  }

  /** False when nothing was done: the request is for the router. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = '' } = request;
    if (method !== 'GET') return false;
    const mark = url.indexOf('?');
    const endpoint = this.endpoints.get(mark === -1 ? url : url.slice(0, mark));
    if (endpoint === undefined || !isPlain(request)) return false;
    const start = performance.now();
    const query = mark === -1 ? '' : url.slice(mark);
    const page = this.options.pages.find(query, request.headers.accept);
    if (page === null) return false;
    const { limiter, trustedProxyHops, log } = this.options;
    const caller = accountOfAddress(clientAddressOf(request, trustedProxyHops));
    // Spent also for what turns out to be unchanged: who has no quota left is not told so much.
    if (!limiter.spendAtOnce(endpoint.policy, caller, 1)) return false;
    const unchanged = holdsTag(request.headers['if-none-match'], page.etag);
    if (unchanged) limiter.refund(endpoint.policy, caller, 1);
    const id = requestIdOf(request);
    const fields = ['x-request-id', id, ...always, 'etag', page.etag];
    const quota = toRateLimitHeaders(limiter.stateOf(endpoint.policy, caller), Date.now());
    for (const name in quota) fields.push(name, quota[name]!);
    if (unchanged) response.writeHead(304, fields).end();
    else {
      for (const name in page.fields) fields.push(name, page.fields[name]!);
      fields.push('content-length', String(page.body.length));
      response.writeHead(200, fields).end(page.body);
    }
    const status = unchanged ? 304 : 200;
    const outcome = { id, route: endpoint.path, status, code: null, bodyBytes: 0 };
    log.record(request, outcome, performance.now() - start);
    return true;
  }
}

/** A body would have to be read, and who does not name one host is told so. */
function isPlain(request: IncomingMessage): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return length === undefined && encoding === undefined && hostsNamed(request) === 1;
}
