import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RenderedPage } from '../pages/rendered-page.js';

/** How long anybody may keep a page, and what it may depend on. */
export const cacheable_headers = {
  'cache-control': 'public, max-age=60, stale-while-revalidate=300',
  vary: 'Accept, Accept-Encoding',
} as const;

export const page_content_type = 'application/json; charset=utf-8';

/** Sends a page that anybody may keep for a while. */
export function sendCacheable(
  request: FastifyRequest,
  reply: FastifyReply,
  page: RenderedPage,
): void {
  void reply.headers(cacheable_headers);
  sendPage(request, reply, page);
}

/** Sends a page, or 304 without a body when the client has it already. */
export function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { body, etag, fields }: RenderedPage,
): void {
  void reply.header('etag', etag);
  const unchanged = holdsTag(request.headers['if-none-match'], etag);
  if (unchanged && request.method !== 'HEAD') void reply.status(304).send();
  // To HEAD the router says how long the body is that it leaves out; without one it would say 0.
  else if (unchanged) void reply.status(304).headers(fields).send(body);
  else void reply.status(200).headers(fields).send(body);
}

/** Whether a client that sends this `If-None-Match` has the page: weakly compared, RFC 9110. */
export function holdsTag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch === etag) return true;
  return ifNoneMatch
    .split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''))
    .some((tag) => tag === etag || tag === '*');
}
