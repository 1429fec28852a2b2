import type { IncomingMessage } from 'node:http';

/**
 * Address that a request comes from, as far as the operator's own proxies can be believed: each of
 * `trustedProxyHops` proxies has added one entry on the right of `X-Forwarded-For`, and what stands
 * further left is a claim of the client's.
 */
export function clientAddressOf(request: IncomingMessage, trustedProxyHops: number): string {
  const peer = request.socket.remoteAddress ?? '';
  if (trustedProxyHops === 0) return peer;
  const sent = String(request.headers['x-forwarded-for'] ?? '').split(',');
  const entries = sent.map((entry) => entry.trim()).filter((entry) => entry !== '');
  const hops = Math.min(trustedProxyHops, entries.length);
  return hops === 0 ? peer : entries[entries.length - hops]!;
}
