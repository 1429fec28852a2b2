import { describe, expect, it } from '@jest/globals';
import { isExpired, keyState, rotationVerdict } from './key-rotation.js';

const now = Date.parse('2026-05-22T10:00:00Z');
const at = (ms: number) => new Date(now + ms);

describe('a tracking key', () => {
  it('is active, expiring, expired or revoked', () => {
    expect(keyState({ revokedAt: null, expiresAt: null }, now)).toBe('active');
    expect(keyState({ revokedAt: null, expiresAt: at(1) }, now)).toBe('expiring');
    expect(keyState({ revokedAt: null, expiresAt: at(0) }, now)).toBe('expired');
    expect(keyState({ revokedAt: at(-1), expiresAt: at(1) }, now)).toBe('revoked');
  });

  it('is rotated once, and only while it works', () => {
    expect(rotationVerdict({ revokedAt: null, expiresAt: null }, now)).toBeNull();
    expect(rotationVerdict(null, now)).toBe('not_found');
    expect(rotationVerdict({ revokedAt: at(-1), expiresAt: null }, now)).toBe('revoked');
    expect(rotationVerdict({ revokedAt: null, expiresAt: at(1) }, now)).toBe('already_rotated');
    expect(rotationVerdict({ revokedAt: null, expiresAt: at(-1) }, now)).toBe('expired');
  });

  it('without an end never expires', () => {
    expect(isExpired(null, now)).toBe(false);
    expect(isExpired(now + 1, now)).toBe(false);
    expect(isExpired(now, now)).toBe(true);
  });
});
