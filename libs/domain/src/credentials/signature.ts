import { createHmac, timingSafeEqual } from 'node:crypto';

const digest_bytes = 32;

/**
 * Whether `sent` is the HMAC-SHA-256 of the received bytes under `key`: hex or base64, with or
 * without the prefix `sha256=` (specification 4.10). Compared in constant time.
 */
export function isSignatureOf(sent: string, body: Uint8Array, key: string): boolean {
  const text = sent.trim().replace(/^sha256=/i, '');
  const claimed = /^[0-9a-f]{64}$/i.test(text)
    ? Buffer.from(text, 'hex')
    : Buffer.from(text, 'base64');
  if (claimed.length !== digest_bytes) return false;
  return timingSafeEqual(claimed, createHmac('sha256', key).update(body).digest());
}
