import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { codePoints } from './code-points.js';
import { parseInstant } from './instant.js';

describe('an instant', () => {
  it('is read back from every ISO 8601 form of a date', () => {
    const date = fc.date({
      min: new Date('1970-01-01'),
      max: new Date('9999-12-31T23:59:59Z'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(date, (value) => {
        expect(parseInstant(value.toISOString())).toBe(value.getTime());
      }),
    );
  });

  it('has the same reading in its short form and in every other', () => {
    const shape = fc.stringMatching(
      /^[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-6][0-9]:[0-6][0-9]$/,
    );
    fc.assert(
      fc.property(shape, (seconds) => {
        expect(parseInstant(`${seconds}.250Z`)).toBe(parseInstant(`${seconds}.25+00:00`));
      }),
    );
    expect(parseInstant('0000-02-29T00:00:00.000Z')).toBe(Date.parse('0000-02-29T00:00:00.000Z'));
    expect(parseInstant('2026-05-22t10:00:00.000Z')).toBeNull();
    expect(parseInstant('2026-05-22T10:00:00,000Z')).toBeNull();
  });

  it('may have an offset, no seconds and any number of decimals', () => {
    const noon = Date.parse('2026-05-22T12:00:00Z');
    expect(parseInstant('2026-05-22T17:30:00+05:30')).toBe(noon);
    expect(parseInstant('2026-05-22T08:00-04:00')).toBe(noon);
    expect(parseInstant('2026-05-22T12:00:00.1234567Z')).toBe(noon + 123);
  });

  it.each([
    '2026-W01',
    '2026-05-22',
    '2026-05-22T12:00:00',
    '2026-02-30T12:00:00Z',
    '2025-02-29T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2026-05-22T24:00:00Z',
    '2026-05-22T12:60:00Z',
    '2026-05-22T12:00:00+24:00',
    '2026-05-22 12:00:00Z',
    ' 2026-05-22T12:00:00Z',
    '',
  ])('is not %j', (text) => {
    expect(parseInstant(text)).toBeNull();
  });
});

describe('the length of a text', () => {
  it('counts code points', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(codePoints(text)).toBe([...text].length);
      }),
    );
  });
});
