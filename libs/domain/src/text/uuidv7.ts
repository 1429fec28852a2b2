import { randomFillSync } from 'node:crypto';

const random_bytes = 10;
/** One draw of the generator serves many ids; each byte of it is used once. */
const pool = Buffer.alloc(random_bytes * 512);
let drawn = pool.length;

/** A new UUIDv7 (RFC 9562): 48 bits of time, then random; lower case. */
export function uuidv7(now: number = Date.now()): string {
  if (drawn === pool.length) {
    randomFillSync(pool);
    drawn = 0;
  }
  const random = pool.toString('hex', drawn, drawn + random_bytes);
  drawn += random_bytes;
  const time = now.toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(random[3]!, 16) & 0x3) | 0x8).toString(16);
  return (
    `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}` +
    `-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
  );
}
