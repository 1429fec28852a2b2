import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { malformedTexts } from './well-formed.js';

const half = '\ud800';

describe('half a surrogate pair', () => {
  it('is found in texts, by their pointers, and in names, by the pointer of their object', () => {
    const value = { 'a/b': [`x${half}`, 'ü😀'], c: { [half]: 1 }, d: 1, e: null };
    expect(malformedTexts(value, 9)).toEqual(['/a~1b/0', '/c']);
    expect(malformedTexts(half, 9)).toEqual(['']);
  });

  it('is told no more often than asked for', () => {
    expect(malformedTexts([half, [half, half], half], 2)).toEqual(['/0', '/1/0']);
  });

  it('is found wherever JSON has to escape one', () => {
    const text = fc
      .array(fc.integer({ min: 0, max: 0xffff }))
      .map((units) => String.fromCharCode(...units));
    fc.assert(
      fc.property(fc.dictionary(text, fc.oneof(text, fc.array(text))), (value) => {
        const escaped = /(?<!\\)(?:\\\\)*\\ud[89a-f]/.test(JSON.stringify(value));
        expect(malformedTexts(value, 9).length > 0).toBe(escaped);
      }),
    );
  });
});
