import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { uuidv7 } from './uuidv7.js';

describe('a UUIDv7', () => {
  it('is of version 7 and the standard variant, and begins with its time', () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 });
    fc.assert(
      fc.property(time, (now) => {
        const id = uuidv7(now);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(now);
      }),
    );
  });

  it('is never the same twice', () => {
    const ids = Array.from({ length: 5000 }, () => uuidv7(0));
    expect(new Set(ids).size).toBe(ids.length);
  });
});
