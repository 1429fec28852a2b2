/** Postgres has no unsigned 64-bit type: the same bits, read with a sign. */
export const signedKey = (key: string): string => BigInt.asIntN(64, BigInt(key)).toString();

/** The key, a decimal string without a sign, of what Postgres holds. */
export const unsignedKey = (key: string): string => BigInt.asUintN(64, BigInt(key)).toString();

/** The smaller of two keys. */
export const smallerKey = (one: string, other: string): string =>
  BigInt(one) < BigInt(other) ? one : other;
