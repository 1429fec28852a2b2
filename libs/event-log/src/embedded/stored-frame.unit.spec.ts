import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CorruptFrameError, decodeFrame, encodeFrame } from './frame-codec.js';
import { fromStoredFrame, toStoredFrame } from './stored-frame.js';

const text = fc.string({ unit: 'grapheme', maxLength: 40 });
const records = fc.array(
  fc.record({
    key: text,
    value: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
    headers: fc.dictionary(text, text, { maxKeys: 5, noNullPrototype: true }),
  }),
  { maxLength: 30 },
);

/** Stored before there was a second version. */
const first_version_base64 =
  'AAABs3gBY2RhTy1LzSvRNWRmTU6Nz0yBcdmTU+NLKgtSBUuLE9NT9YpSk1Mzy1JT9MoMOS7surD7Yt/Fdh73osPb' +
  'Ds9PVfgwv69TtFoJbJBnipIVhKVrqFTLwMDAlpSZl1hUycgZH19QlF+SHx/PUpJaUcLKwMj07z9LTn5eOsMapopR' +
  'QHQIAACaG71C';

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

  it('keeps apart records without headers, with the same and with others', () => {
    const headers: Record<string, string>[] = [
      {},
      { a: '1', b: '2' },
      { a: '1', b: '3' },
      { b: 'key', c: '' },
    ];
    const input = headers.map((own) => ({ key: 'key', value: Buffer.from('v'), headers: own }));
    expect(decodeFrame(encodeFrame(input))).toEqual(input);
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

  it('is refused when bytes follow it', () => {
    const frame = encodeFrame([{ key: 'key', value: Buffer.from('value') }]);
    expect(() => decodeFrame(Buffer.concat([frame, Buffer.alloc(1)]))).toThrow(CorruptFrameError);
  });
});

describe('a stored frame', () => {
  it('gives back its records, small or large', async () => {
    for (const bytes of [0, 1, 100, 100_000, 3_000_000]) {
      const input = [{ key: 'key', value: Buffer.alloc(bytes, 'adoption'), headers: {} }];
      expect(fromStoredFrame(await toStoredFrame(input))).toEqual(input);
    }
  });

  it('of the first version is still read', () => {
    const stored = Buffer.from(first_version_base64, 'base64');
    const ofPrototype = Object.fromEntries([['__proto__', 'text']]);
    expect(fromStoredFrame(stored)).toEqual([
      {
        key: 'event-1',
        value: Buffer.from('{"eventId":"event-1"}'),
        headers: { ce_id: 'event-1', ce_type: 'usage.received.v1', ключ: 'Größe 🎉' },
      },
      { key: '', value: Buffer.alloc(0), headers: {} },
      { key: 'binary', value: Buffer.from([0, 1, 2, 254, 255]), headers: ofPrototype },
      { key: 'long', value: Buffer.from('x'.repeat(300)), headers: {} },
    ]);
  });

  it('of the first version is refused when a single byte of it was altered', () => {
    const stored = Buffer.from(first_version_base64, 'base64');
    expectAlterationsRefused(stored);
  });

  it('is refused when a single byte of it was altered', async () => {
    const input = [{ key: 'key', value: Buffer.from('value'.repeat(50)) }];
    expectAlterationsRefused(await toStoredFrame(input));
  });
});

function expectAlterationsRefused(stored: Buffer): void {
  for (let at = 0; at < stored.length; at += 1) {
    const altered = Buffer.from(stored);
    altered[at] = altered[at]! ^ 0x55;
    expect(() => fromStoredFrame(altered)).toThrow(CorruptFrameError);
  }
}
