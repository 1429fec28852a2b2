import { randomFillSync } from 'node:crypto';

const random_bytes = 10;
/** One draw of the generator serves many ids; each digit of it is used once. */
const pool = Buffer.alloc(random_bytes * 512);
/** First digit of the group that names the variant, by two random bits. */
const variants = '89ab';
let digits = '';
let drawn = 0;
let lastTime = Number.NaN;
let timePart = '';

/** A new UUIDv7 (RFC 9562): 48 bits of time, then random; lower case. */
export function uuidv7(now: number = Date.now()): string {
  if (drawn === digits.length) {
    digits = randomFillSync(pool).toString('hex');
    drawn = 0;
  }
  if (now !== lastTime) {
    const time = now.toString(16).padStart(12, '0');
    lastTime = now;
    timePart = `${time.slice(0, 8)}-${time.slice(8)}-7`;
  }
  const at = drawn;
  drawn += random_bytes * 2;
  const variant = variants[Number.parseInt(digits[at + 3]!, 16) & 3]!;
  return (
    `${timePart}${digits.slice(at, at + 3)}` +
    `-${variant}${digits.slice(at + 4, at + 7)}-${digits.slice(at + 7, at + 19)}`
  );
}
