import { describe, expect, it } from '@jest/globals';
import { windowOf } from './period.js';

describe('the window of a period', () => {
  it('is the last days up to and including the day of the epoch', () => {
    expect(windowOf('7d', new Date('2026-03-10T12:00:00Z'))).toEqual({
      start: '2026-03-04',
      endExclusive: '2026-03-11',
    });
  });

  it('is the same all day long', () => {
    expect(windowOf('90d', new Date('2026-03-10T00:00:00Z'))).toEqual(
      windowOf('90d', new Date('2026-03-10T23:59:59.999Z')),
    );
  });
});
