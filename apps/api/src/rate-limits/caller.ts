import { isIPv6 } from 'node:net';
import { remember } from '#runtime/remember.js';

const remembered_addresses = 5_000;

/** The account that a key is counted on, by its hash. Only for keys that exist. */
export function accountOfKey(hash: string): string {
  return `key:${hash}`;
}

/** The account of a client address. A customer of IPv6 has a whole /64 to call from. */
export const accountOfAddress = remember(remembered_addresses, (ip) => {
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
