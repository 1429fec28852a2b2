import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { murmur2, partitionOf } from './partitioner.js';

describe('murmur2', () => {
  // The vectors of the Java client's own UtilsTest.
  it.each([
    ['21', -973_932_308],
    ['foobar', -790_332_482],
    ['a-little-bit-long-string', -985_981_536],
    ['a-little-bit-longer-string', -1_486_304_829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58_897_971],
    ['abc', 479_470_107],
  ])('hashes %j as the Kafka Java client does', (text, hash) => {
    expect(murmur2(Buffer.from(text))).toBe(hash);
  });
});

describe('partitionOf', () => {
  it('answers the partition that Kafka would choose', () => {
    expect(partitionOf('foobar', 6)).toBe((-790_332_482 & 0x7fff_ffff) % 6);
    expect(partitionOf('foobar', 6)).toBe(0);
  });

  it('stays within the partitions and repeats itself', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 64 }), (key, partitions) => {
        const partition = partitionOf(key, partitions);
        expect(partition).toBeGreaterThanOrEqual(0);
        expect(partition).toBeLessThan(partitions);
        expect(partitionOf(key, partitions)).toBe(partition);
      }),
    );
  });

  it('spreads random keys evenly', () => {
    const counts = new Map<number, number>();
    for (let key = 0; key < 6000; key += 1) {
      const partition = partitionOf(`key-${key}`, 6);
      counts.set(partition, (counts.get(partition) ?? 0) + 1);
    }
    expect([...counts.values()].every((count) => count > 800 && count < 1200)).toBe(true);
  });
});
