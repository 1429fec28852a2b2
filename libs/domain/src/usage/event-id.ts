import { hash } from 'node:crypto';
import { event_limits } from '../limits.js';

const namespace_bytes = 16;
// A character is one or two UTF-16 units, and a unit takes three bytes at most.
const name_units_max = 2 * event_limits.idempotency_key_characters_max;
/** Namespace and name, written over for every event. */
const hashed = Buffer.alloc(namespace_bytes + 3 * name_units_max);
let namespace = '';

/**
 * The id of an event: UUIDv5 with the organization as namespace and the idempotency key as name
 * (RFC 9562), so the same key of the same organization is the same event for ever.
 * `organizationId` is a UUID in text form; the answer is lower case.
 * @throws RangeError for a key that no event may have.
 */
export function eventIdOf(organizationId: string, idempotencyKey: string): string {
  if (idempotencyKey.length > name_units_max) throw new RangeError('The key is too long.');
  if (organizationId !== namespace) {
    hashed.write(organizationId.replaceAll('-', ''), 0, 'hex');
    namespace = organizationId;
  }
  const bytes = hashed.write(idempotencyKey, namespace_bytes, 'utf8');
  const digest = hash('sha1', hashed.subarray(0, namespace_bytes + bytes), 'hex');
  const variant = ((Number.parseInt(digest[16]!, 16) & 0x3) | 0x8).toString(16);
  return (
    `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}` +
    `-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  );
}
