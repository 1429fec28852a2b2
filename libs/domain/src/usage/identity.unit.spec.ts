import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { eventIdOf } from './event-id.js';
import { IdentityHasher } from './identity.js';

describe('identity hashes', () => {
  it('are HMAC-SHA-256 under the pepper', () => {
    const pepper = fc.string({ minLength: 32, maxLength: 200 });
    fc.assert(
      fc.property(pepper, fc.string(), (key, email) => {
        const expected = createHmac('sha256', key).update(`email:${email}`).digest('hex');
        expect(new IdentityHasher(key).email(email)).toBe(expected);
      }),
    );
  });

  it('of a developer id mean something within one organization only', () => {
    const hasher = new IdentityHasher('p'.repeat(32));
    expect(hasher.developer('one', 'dev')).not.toBe(hasher.developer('two', 'dev'));
    expect(hasher.developer('one', 'dev')).toBe(hasher.developer('one', 'dev'));
  });
});

describe('the id of an event', () => {
  it('is the UUIDv5 of organization and key', () => {
    // The vector of RFC 9562, appendix A.4: namespace DNS, name www.example.com.
    expect(eventIdOf('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    );
  });

  it('is a version 5 UUID of the standard variant for every key', () => {
    const organization = '01890a5d-ac96-774b-bcce-b302099a8057';
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (key) => {
        expect(eventIdOf(organization, key)).toMatch(
          /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
        );
      }),
    );
  });
});
