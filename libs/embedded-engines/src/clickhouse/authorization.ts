import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** The only user of the embedded column store. */
export const clickhouse_user = 'uptake';

/**
 * Whether the request carries user and password, by any of the three ways of the protocol. The
 * loopback interface is shared with every other user of the machine. Comparing digests takes the
 * same time whatever was sent.
 */
export function isAuthorized(
  request: IncomingMessage,
  address: URLSearchParams,
  password: string,
): boolean {
  const sent = sentCredentials(request, address);
  return timingSafeEqual(digest(sent), digest(`${clickhouse_user}:${password}`));
}

function sentCredentials(request: IncomingMessage, address: URLSearchParams): string {
  const basic = /^Basic (\S+)$/i.exec(request.headers.authorization ?? '')?.[1];
  if (basic !== undefined) return Buffer.from(basic, 'base64').toString('utf8');
  const user = request.headers['x-clickhouse-user'] ?? address.get('user') ?? '';
  const key = request.headers['x-clickhouse-key'] ?? address.get('password') ?? '';
  return `${String(user)}:${String(key)}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
