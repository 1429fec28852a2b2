import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CorruptFrameError, decodeFrame, encodeFrame, recordBytes } from './frame-codec.js';
import { compressFrame, expandFrame } from './frame-compression.js';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const records = fc.array(
  fc.record({
    key: text,
    value: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    headers: fc.dictionary(text, text, { maxKeys: 5, noNullPrototype: true }),
  }),
  { maxLength: 30 },
);

describe('a frame', () => {
  it('gives back the records it was made of', () => {
    fc.assert(
      fc.property(records, (input) => {
        expect(decodeFrame(encodeFrame(input))).toEqual(input);
      }),
    );
  });

  it('keeps a header of any name, also that of a prototype', () => {
    const headers = Object.fromEntries([['__proto__', 'text']]);
    const [record] = decodeFrame(encodeFrame([{ key: '', value: Buffer.alloc(0), headers }]));
    expect(Object.entries(record!.headers)).toEqual([['__proto__', 'text']]);
  });

  it('has the length that its records were said to take', () => {
    fc.assert(
      fc.property(records, (input) => {
        const framing = input.length < 0x80 ? 2 : 3;
        const bytes = input.reduce((sum, record) => sum + recordBytes(record), framing);
        expect(encodeFrame(input)).toHaveLength(bytes);
      }),
    );
  });

  it('is refused when it is cut short anywhere', () => {
    fc.assert(
      fc.property(records, fc.nat(), (input, cut) => {
        const frame = encodeFrame(input);
        const short = frame.subarray(0, cut % frame.length);
        expect(() => decodeFrame(short)).toThrow(CorruptFrameError);
      }),
    );
  });

  it('is refused when bytes follow it or its version is unknown', () => {
    const frame = encodeFrame([{ key: 'key', value: Buffer.from('value') }]);
    expect(() => decodeFrame(Buffer.concat([frame, Buffer.alloc(1)]))).toThrow(CorruptFrameError);
    frame[0] = 99;
    expect(() => decodeFrame(frame)).toThrow('unknown version 99');
  });
});

describe('a stored frame', () => {
  it('expands to the very bytes, small or large', async () => {
    for (const bytes of [0, 1, 100, 100_000, 3_000_000]) {
      const frame = Buffer.alloc(bytes, 'adoption');
      expect(expandFrame(await compressFrame(frame)).equals(frame)).toBe(true);
    }
  });

  it('is refused when a single byte of it was altered', async () => {
    const input = [{ key: 'key', value: Buffer.from('value'.repeat(50)) }];
    const stored = await compressFrame(encodeFrame(input));
    for (let at = 0; at < stored.length; at += 1) {
      const altered = Buffer.from(stored);
      altered[at] = altered[at]! ^ 0x55;
      expect(() => expandFrame(altered)).toThrow(CorruptFrameError);
    }
  });
});
