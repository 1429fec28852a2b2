import { describe, expect, it } from '@jest/globals';
import { TextArena } from './text-arena.js';

const texts = (count: number, letter: string) =>
  Array.from({ length: count }, (_, index) => `${letter}${index}: ${'ü'.repeat(index % 900)}`);
const written = (arena: TextArena, all: readonly string[]) => all.map((text) => arena.write(text));
const read = (all: readonly Uint8Array[]) => all.map((bytes) => Buffer.from(bytes).toString());

describe('an arena', () => {
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
