import { hash } from 'node:crypto';

/**
 * The id of an event: UUIDv5 with the organization as namespace and the idempotency key as name
 * (RFC 9562), so the same key of the same organization is the same event for ever.
 * `organizationId` is a UUID in text form; the answer is lower case.
 */
export function eventIdOf(organizationId: string, idempotencyKey: string): string {
  const namespace = Buffer.from(organizationId.replaceAll('-', ''), 'hex');
  const name = Buffer.concat([namespace, Buffer.from(idempotencyKey, 'utf8')]);
  const digest = hash('sha1', name, 'hex');
  const variant = ((Number.parseInt(digest[16]!, 16) & 0x3) | 0x8).toString(16);
  return (
    `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}` +
    `-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`
  );
}
