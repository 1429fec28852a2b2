import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { TextArena } from './text-arena.js';

const texts = (count: number, letter: string) =>
  Array.from({ length: count }, (_, index) => `${letter}${index}: ${'ü'.repeat(index % 900)}`);
const written = (arena: TextArena, all: readonly string[]) => all.map((text) => arena.write(text));
const read = (all: readonly Uint8Array[]) => all.map((bytes) => Buffer.from(bytes).toString());

describe('a text arena', () => {
  it('keeps every text as it was written, whatever was written after it', () => {
    const size = fc.constantFrom(1, 100, 20_000, 90_000);
    const text = fc
      .tuple(fc.string({ unit: 'binary' }), size)
      .map(([piece, times]) => piece.repeat(Math.ceil(times / Math.max(1, piece.length))));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 12 }), (all) => {
        const arena = new TextArena();
        const kept = written(arena, all);
        kept.forEach((bytes, index) => {
          expect(Buffer.compare(bytes, Buffer.from(all[index]!))).toBe(0);
        });
        arena.release();
      }),
      { numRuns: 40 },
    );
  });

  it('keeps each text apart from all others, also of other requests', () => {
    const [one, other] = [new TextArena(), new TextArena()];
    const [ones, others] = [texts(2000, 'a'), texts(2000, 'b')];
    const [kept, keptToo] = [written(one, ones), written(other, others)];
    expect(read(kept)).toEqual(ones);
    expect(read(keptToo)).toEqual(others);
  });

  it('keeps a text that is larger than a block', () => {
    const large = 'x'.repeat(1_000_000);
    expect(read([new TextArena().write(large)])).toEqual([large]);
  });

  it('uses blocks again that were given back, and only those', () => {
    const [first, open] = [new TextArena(), new TextArena()];
    const kept = written(open, texts(10, 'b'));
    const memory = written(first, texts(10, 'a'))[0]!.buffer;
    first.release();
    const [again] = written(new TextArena(), texts(1, 'c'));
    expect(again!.buffer).toBe(memory);
    expect(read(kept)).toEqual(texts(10, 'b'));
  });

  it('writes into other blocks after it gave its own back', () => {
    const arena = new TextArena();
    arena.write('before');
    arena.release();
    const later = new TextArena().write('somebody else');
    arena.write('after');
    expect(read([later])).toEqual(['somebody else']);
  });
});
