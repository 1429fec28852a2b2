/** What decides whether a key works, and whether it can be rotated. */
export interface KeyLife {
  readonly revokedAt: Date | null;
  readonly expiresAt: Date | null;
}

export type RotationRefusal = 'not_found' | 'revoked' | 'expired' | 'already_rotated';

/**
 * Why a key cannot be rotated at `now` (epoch milliseconds), or null when it can. A key is rotated
 * once: what follows is rotating its successor.
 */
export function rotationVerdict(key: KeyLife | null, now: number): RotationRefusal | null {
  if (key === null) return 'not_found';
  switch (keyState(key, now)) {
    case 'revoked':
      return 'revoked';
    case 'expired':
      return 'expired';
    case 'expiring':
      return 'already_rotated';
    case 'active':
      return null;
  }
}

/** `expiring`: works until the overlap of its rotation is over. */
export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** The state of a key at `now`, epoch milliseconds. */
export function keyState(key: KeyLife, now: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt === null) return 'active';
  return isExpired(key.expiresAt.getTime(), now) ? 'expired' : 'expiring';
}

/** Whether a key that ends at `expiresAt` has ended; the instant itself is past the end. */
export function isExpired(expiresAt: number | null, now: number): boolean {
  return expiresAt !== null && now >= expiresAt;
}
