/**
 * The partition of a key: `toPositive(murmur2(utf8(key))) % partitions`, as Kafka's default
 * partitioner, so one key lands on one partition number whichever driver is in use.
 * `partitionOf('foobar', 6) === 0`. `partitions` is at least 1.
 */
export function partitionOf(key: string, partitions: number): number {
  return (murmur2(Buffer.from(key, 'utf8')) & 0x7fff_ffff) % partitions;
}

const seed = 0x9747_b28c;
const mix_factor = 0x5bd1_e995;
const mix_shift = 24;

/**
 * The 32-bit murmur2 hash of the Kafka Java client, as a signed integer:
 * `murmur2(Buffer.from('21')) === -973932308`.
 */
export function murmur2(bytes: Uint8Array): number {
  const length = bytes.length;
  const tail = length & ~3;
  let hash = seed ^ length;
  for (let at = 0; at < tail; at += 4) {
    const word =
      bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    let mixed = Math.imul(word, mix_factor);
    mixed = Math.imul(mixed ^ (mixed >>> mix_shift), mix_factor);
    hash = Math.imul(hash, mix_factor) ^ mixed;
  }
  if (length > tail) {
    for (let at = length - 1; at >= tail; at -= 1) hash ^= bytes[at]! << (8 * (at - tail));
    hash = Math.imul(hash, mix_factor);
  }
  hash = Math.imul(hash ^ (hash >>> 13), mix_factor);
  return (hash ^ (hash >>> 15)) | 0;
}
