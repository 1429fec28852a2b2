import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';
import { credentialHash } from '#domain/credentials/credential.js';
import { remember } from '#runtime/remember.js';
import { clientAddressOf } from '../http/client-address.js';
import type { Endpoint } from '../http/endpoint.js';

const remembered_addresses = 5_000;

/**
 * Whose quota a request is counted against: that of the key where one is needed, else that of the
 * client address. The key is named by its hash; whether it is valid is found out later, and a
 * request without any counts for its address.
 */
export function callerOf(
  request: IncomingMessage,
  endpoint: Endpoint,
  trustedProxyHops: number,
): string {
  const address = () => addressOf(clientAddressOf(request, trustedProxyHops));
  switch (endpoint.access) {
    case 'public':
      return address();
    case 'trackingKey': {
      const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1];
      return token === undefined ? address() : keyOf(token);
    }
  }
}

function keyOf(token: string): string {
  return `key:${credentialHash(token).toString('base64url')}`;
}

/** A customer of IPv6 has a whole /64 to call from; it counts as one address. */
export const addressOf = remember(remembered_addresses, (ip) => {
  const plain = ip.startsWith('::ffff:') ? ip.slice('::ffff:'.length) : ip;
  return `address:${isIPv6(plain) ? networkOf(plain) : plain}`;
});

/** The first four groups: `2001:db8::1` lies in `2001:db8:0:0`. */
function networkOf(ip: string): string {
  const [head = '', tail] = ip.split('%', 1)[0]!.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const rest = tail === '' ? 0 : tail.split(':').length;
    while (groups.length < 8 - rest) groups.push('0');
    if (tail !== '') groups.push(...tail.split(':'));
  }
  return groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
