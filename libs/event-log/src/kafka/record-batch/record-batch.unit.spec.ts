import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import Decoder from 'kafkajs/src/protocol/decoder.js';
import crc32c from 'kafkajs/src/protocol/recordBatch/crc32C/index.js';
import kafkajsRecord from 'kafkajs/src/protocol/recordBatch/record/v0/index.js';
import decodeBatch from 'kafkajs/src/protocol/recordBatch/v0/decoder.js';
import kafkajsBatch from 'kafkajs/src/protocol/recordBatch/v0/index.js';
import type { LogRecordInput } from '../../event-log.js';
import { ByteWriter } from './byte-writer.js';
import { RecordBatch, writeRecord } from './record-batch.js';
import { RecordReader } from './record-reader.js';
import { sealBatch, storedLength, writeBatch, type Compression } from './stored-batch.js';

const place = { topic: 't', partition: 3 };
const origin = { producerId: 2n ** 40n, producerEpoch: 7, sequence: 2 ** 31 - 1 };
const gzip_codec = 1;

// Lengths around those at which a length takes one byte more.
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.constantFrom('x'.repeat(63), 'x'.repeat(64), 'é'.repeat(32), 'é'.repeat(4_096)),
);
const bytes = fc.oneof(fc.uint8Array({ maxLength: 300 }), fc.constant(new Uint8Array(70_000)));
const headers = fc.dictionary(fc.oneof(text, fc.constant('__proto__')), text, { maxKeys: 9 });
const input: fc.Arbitrary<LogRecordInput> = fc.oneof(
  fc.record({ key: text, value: fc.oneof(text, bytes), headers }),
  fc.record({ key: text, value: fc.oneof(text, bytes) }),
);
const inputs = fc.array(input, { minLength: 1, maxLength: 150, size: 'max' });
const compressions = fc.constantFrom<Compression>('none', 'gzip');

function stored(records: readonly LogRecordInput[], compression: Compression): Buffer {
  const written = new ByteWriter();
  const batch = new RecordBatch();
  for (const record of records) {
    written.clear();
    writeRecord(written, record);
    batch.add(written);
  }
  const sealed = sealBatch(batch, compression);
  const to = Buffer.allocUnsafe(storedLength(sealed));
  writeBatch(to, sealed, origin);
  return to;
}

/** What a broker does with a batch that it appends. */
function appended(batch: Buffer, baseOffset: bigint): Buffer {
  const copy = Buffer.from(batch);
  copy.writeBigInt64BE(baseOffset);
  return copy;
}

const valueOf = ({ value }: LogRecordInput): Buffer => Buffer.from(value as string);
const headersOf = (record: LogRecordInput) => Object.entries(record.headers ?? {});

describe('a batch of records', () => {
  it('is read as it was written, at the offsets that the broker gave it', () =>
    fc.assert(
      fc.asyncProperty(
        inputs,
        compressions,
        fc.bigInt(0n, 2n ** 60n),
        async (sent, codec, base) => {
          const set = appended(stored(sent, codec), base);
          const { records, next } = new RecordReader(place).read(set, base);
          expect(next).toBe(base + BigInt(sent.length));
          records.forEach((record, index) => {
            const { key } = sent[index]!;
            expect(record).toMatchObject({ ...place, key, offset: base + BigInt(index) });
            expect(Buffer.compare(record.value, valueOf(sent[index]!))).toBe(0);
            expect(headersOf(record)).toEqual(headersOf(sent[index]!));
          });
        },
      ),
      { numRuns: 60 },
    ));

  it('is read the same by kafkajs, with the checksum that brokers reckon', () =>
    fc.assert(
      fc.asyncProperty(inputs, compressions, async (sent, codec) => {
        const batch = stored(sent, codec);
        expect(batch.readUInt32BE(17)).toBe(crc32c(batch.subarray(21)));
        const decoded = await decodeBatch(new Decoder(batch));
        expect(decoded).toMatchObject({
          producerId: String(origin.producerId),
          producerEpoch: origin.producerEpoch,
          firstSequence: origin.sequence,
        });
        decoded.records.forEach((record, index) => {
          expect(record.offset).toBe(String(index));
          expect(record.key.toString()).toBe(Buffer.from(sent[index]!.key).toString());
          expect(Buffer.compare(record.value, valueOf(sent[index]!))).toBe(0);
          // kafkajs takes a header for given when every object has something of its name.
          const own = headersOf(sent[index]!).filter(([name]) => !(name in Object.prototype));
          for (const [name, header] of own) {
            expect(record.headers[name]?.toString()).toBe(Buffer.from(header).toString());
          }
        });
      }),
      { numRuns: 60 },
    ));

  it('is read when kafkajs wrote it, whatever is absent and whenever it was written', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            key: fc.option(fc.uint8Array().map((each) => Buffer.from(each))),
            value: fc.option(bytes.map((each) => Buffer.from(each))),
            headers: fc.dictionary(fc.string(), fc.array(fc.string(), { minLength: 1 })),
            timestampDelta: fc.integer({ min: -(2 ** 41), max: 2 ** 41 }),
          }),
          { minLength: 1 },
        ),
        fc.constantFrom(0, gzip_codec),
        async (sent, compression) => {
          const { buffer } = await kafkajsBatch.RecordBatch({
            compression,
            firstOffset: 5n,
            firstTimestamp: 2 ** 42,
            lastOffsetDelta: sent.length - 1,
            records: sent.map((each, offsetDelta) => kafkajsRecord({ ...each, offsetDelta })),
          });
          const { records } = new RecordReader(place).read(buffer, 5n);
          expect(records.map(({ appendedAt }) => appendedAt)).toEqual(
            sent.map(({ timestampDelta }) => 2 ** 42 + timestampDelta),
          );
          records.forEach((record, index) => {
            const { key, value } = sent[index]!;
            expect(record.key).toBe(key?.toString() ?? '');
            expect(Buffer.compare(record.value, value ?? Buffer.alloc(0))).toBe(0);
            const last = headersOf(sent[index]! as never).map(([name, all]) => [name, all.at(-1)]);
            expect(headersOf(record)).toEqual(last);
          });
        },
      ),
      { numRuns: 60 },
    ));
});

describe('a fetched set of batches', () => {
  const named = (names: readonly string[]) =>
    stored(
      names.map((key) => ({ key, value: key })),
      'gzip',
    );
  const read = (set: Buffer, from: bigint) => {
    const { records, next } = new RecordReader(place).read(set, from);
    return { keys: records.map(({ key }) => key), next };
  };

  it('is read from the wanted offset on, which may lie within a batch', () => {
    const set = Buffer.concat([
      appended(named(['a', 'b']), 10n),
      appended(named(['c', 'd', 'e']), 12n),
    ]);
    expect(read(set, 10n)).toEqual({ keys: ['a', 'b', 'c', 'd', 'e'], next: 15n });
    expect(read(set, 13n)).toEqual({ keys: ['d', 'e'], next: 15n });
    expect(read(set, 15n)).toEqual({ keys: [], next: 15n });
  });

  it('may end within a batch, wherever the broker cut it off', () => {
    const whole = appended(named(['a', 'b']), 0n);
    const set = Buffer.concat([whole, appended(named(['c']), 2n)]);
    for (let length = 0; length < set.length; length += 1) {
      const keys = length < whole.length ? [] : ['a', 'b'];
      expect(read(set.subarray(0, length), 0n)).toEqual({ keys, next: BigInt(keys.length) });
    }
  });

  it('with a hole is refused instead of skipped', () => {
    const set = Buffer.concat([appended(named(['a']), 0n), appended(named(['b']), 2n)]);
    expect(() => read(set, 0n)).toThrow('Offset 1 of t/3 is outside 2..2');
    expect(() => read(appended(named(['a']), 9n), 8n)).toThrow('Offset 8');
  });

  it('takes the time from the broker when the topic says so', () => {
    const set = named(['a', 'b']);
    set.writeInt16BE(set.readInt16BE(21) | 0b1000, 21);
    set.writeBigInt64BE(1_234n, 35);
    const { records } = new RecordReader(place).read(set, 0n);
    expect(records.map(({ appendedAt }) => appendedAt)).toEqual([1_234, 1_234]);
  });

  it('is inflated whatever length its gzip claims, and keeps no more memory than it needs', () => {
    const values = ['a', 'b', 'c'].map((letter) => letter.repeat(50_000));
    const set = stored(
      values.map((value) => ({ key: 'k', value })),
      'gzip',
    );
    const content = gunzipSync(set.subarray(61));
    const members = [gzipSync(content.subarray(0, 140_000)), gzipSync(content.subarray(140_000))];
    const claiming = Buffer.concat([set.subarray(0, 61), ...members]);
    claiming.writeInt32BE(claiming.length - 12, 8);
    for (const each of [set, claiming]) {
      const { records } = new RecordReader(place).read(each, 0n);
      expect(records.map(({ value }) => Buffer.from(value).toString())).toEqual(values);
    }
    const small = named(['a'.repeat(1_000)]);
    expect(small.length).toBeLessThan(200);
    const { records } = new RecordReader(place).read(small, 0n);
    // A small buffer may be a part of the engine's pool, which has 64 KiB from Node 24 on.
    expect(records[0]!.value.buffer.byteLength).toBeLessThan(100_000);
  });

  it('is stored as it is when gzip would make it longer', () => {
    const value = randomBytes(100_000);
    const set = stored([{ key: 'k', value }], 'gzip');
    expect(set.length).toBeLessThan(value.length + 100);
    const { records } = new RecordReader(place).read(set, 0n);
    expect(Buffer.compare(records[0]!.value, value)).toBe(0);
  });

  it('goes past the marks of transactions, which are not records', () => {
    const mark = appended(named(['mark']), 1n);
    mark.writeInt16BE(mark.readInt16BE(21) | 0b10_0000, 21);
    const set = Buffer.concat([appended(named(['a']), 0n), mark]);
    expect(read(set, 0n)).toEqual({ keys: ['a'], next: 2n });
  });

  it('in a form that is not read is refused by name', () => {
    const zstd = named(['a'.repeat(100)]);
    zstd.writeInt16BE(4, 21);
    expect(() => read(zstd, 0n)).toThrow('compressed with zstd');
    const old = named(['a']);
    old.writeInt8(1, 16);
    expect(() => read(old, 0n)).toThrow('format 1');
    const short = stored([{ key: 'a', value: 'b' }], 'none');
    short.writeInt32BE(2, 57);
    expect(() => read(short, 0n)).toThrow('ends early');
  });
});
