import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TextArena } from './text-arena.js';

describe('a text arena', () => {
  it('keeps every text as it was written, whatever was written after it', () => {
    const size = fc.constantFrom(1, 100, 20_000, 90_000);
    const text = fc
      .tuple(fc.string({ unit: 'binary' }), size)
      .map(([piece, times]) => piece.repeat(Math.ceil(times / Math.max(1, piece.length))));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (texts) => {
        const arena = new TextArena();
        const written = texts.map((one) => arena.write(one));
        written.forEach((bytes, index) => {
          expect(Buffer.compare(bytes, Buffer.from(texts[index]!))).toBe(0);
        });
      }),
      { numRuns: 40 },
    );
  });
});
