import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { NameSet } from './name-set.js';

describe('a set of names', () => {
  it('holds exactly the names it was made of', () => {
    const name = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(fc.array(name), fc.array(fc.string({ unit: 'binary' })), (names, others) => {
        const set = new NameSet(names);
        for (const candidate of [...names, ...others, '']) {
          expect(set.has(candidate)).toBe(names.includes(candidate));
        }
      }),
    );
  });
});
