import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RenderedPage } from './page-cache.js';

const headers = {
  'cache-control': 'public, max-age=60, stale-while-revalidate=300',
  vary: 'Accept, Accept-Encoding',
} as const;

/** Sends a page, or 304 without a body when the client has it already. */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag }: RenderedPage,
): void {
  void reply.headers(headers).header('etag', etag);
  if (holds(request.headers['if-none-match'], etag)) void reply.status(304).send();
  else void reply.status(200).header('content-type', 'application/json; charset=utf-8').send(body);
}

/** Weak comparison, as RFC 9110 13.1.2 asks for. */
function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
