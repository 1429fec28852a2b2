import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { OffsetOutOfRangeError, UnknownTopicError } from '../event-log.js';
import { numbered, offsetsFrom, offsetsIn, textOf, type ContractBench } from './contract-bench.js';

const hour_ms = 60 * 60 * 1000;

export function readContract(bench: ContractBench): void {
  describe('a read', () => {
    it('gives every record of every partition once, without a gap', async () => {
      const topic = await bench.topic(4);
      for (const from of [0, 300, 600]) await bench.append(topic, 300, from);
      const records = await bench.read(topic, { batchRecordsMax: 70 });
      expect(records.map((record) => Number(textOf(record))).sort((a, b) => a - b)).toEqual(
        numbered(900).map(({ key }) => Number(key)),
      );
      for (const { partition, low, high } of await bench.log.ranges(topic)) {
        const offsets = offsetsIn(records.filter((record) => record.partition === partition));
        expect(offsets).toEqual(offsetsFrom(low, Number(high - low)));
      }
    });

    it('hands out batches no larger than asked for, each of one partition', async () => {
      const topic = await bench.topic(2);
      await bench.append(topic, 100);
      for await (const batch of bench.log.read(topic, { batchRecordsMax: 7 })) {
        expect(batch.records.length).toBeLessThanOrEqual(7);
        expect(batch.records.length).toBeGreaterThan(0);
        expect(new Set(batch.records.map(({ partition }) => partition)).size).toBe(1);
      }
    });

    it('begins and ends where it is told, by offset', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 20);
      const records = await bench.read(topic, {
        from: { at: 'offsets', offsets: new Map([[0, 5n]]) },
        to: { at: 'offsets', offsets: new Map([[0, 15n]]) },
      });
      expect(offsetsIn(records)).toEqual(offsetsFrom(5n, 10));
    });

    it('begins where it is told, by time', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 10);
      await sleep(5);
      await bench.append(topic, 10, 10);
      const all = await bench.read(topic);
      const time = new Date(all[10]!.appendedAt);
      expect(await bench.log.offsetsAt(topic, time)).toEqual(new Map([[0, 10n]]));
      expect(offsetsIn(await bench.read(topic, { from: { at: 'time', time } }))).toEqual(
        offsetsFrom(10n, 10),
      );
      const future = new Date(Date.now() + hour_ms);
      expect(await bench.log.offsetsAt(topic, future)).toEqual(new Map([[0, 20n]]));
    });

    it('reads only the partitions it is asked for', async () => {
      const topic = await bench.topic(4);
      await bench.append(topic, 100);
      const records = await bench.read(topic, { partitions: [2] });
      expect(new Set(records.map(({ partition }) => partition))).toEqual(new Set([2]));
    });

    it('ends at the end of the moment it was called, while appends go on', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 30);
      const numbers: number[] = [];
      for await (const batch of bench.log.read(topic, { batchRecordsMax: 10 })) {
        numbers.push(...batch.records.map((record) => Number(textOf(record))));
        await bench.append(topic, 10, 1000 + numbers.length);
      }
      expect(numbers).toEqual(numbered(30).map(({ key }) => Number(key)));
    });

    it('of a topic that was never created fails by name', async () => {
      await expect(bench.read('contract.absent')).rejects.toThrow(UnknownTopicError);
    });

    it('past the end is out of range', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 3);
      const from = { at: 'offsets', offsets: new Map([[0, 4n]]) } as const;
      await expect(bench.read(topic, { from })).rejects.toThrow(OffsetOutOfRangeError);
    });
  });

  describe('retention', () => {
    it('removes what is old, moves the low end, and never answers below it by a jump', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 5);
      await bench.log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 1 }]);
      await sleep(10);
      await bench.under.expire(bench.log);
      await bench.log.ensureTopics([{ name: topic, partitions: 1, retentionMs: hour_ms }]);
      await bench.append(topic, 5, 5);
      await bench.under.expire(bench.log);

      expect(await bench.log.ranges(topic)).toEqual([{ partition: 0, low: 5n, high: 10n }]);
      expect(offsetsIn(await bench.read(topic))).toEqual(offsetsFrom(5n, 5));
      const from = { at: 'offsets', offsets: new Map([[0, 0n]]) } as const;
      await expect(bench.read(topic, { from })).rejects.toMatchObject({
        name: OffsetOutOfRangeError.name,
        offset: 0n,
        range: { low: 5n, high: 10n },
      });
    });
  });

  describe('a topic', () => {
    it('gets more partitions when asked to, never fewer', async () => {
      const topic = await bench.topic(2);
      await bench.append(topic, 10);
      await bench.log.ensureTopics([{ name: topic, partitions: 4, retentionMs: hour_ms }]);
      await bench.log.ensureTopics([{ name: topic, partitions: 1, retentionMs: hour_ms }]);
      expect(await bench.log.ranges(topic)).toHaveLength(4);
      await bench.append(topic, 100, 10);
      expect(await bench.read(topic)).toHaveLength(110);
    });
  });

  describe('health', () => {
    it('is up while the log is open and down, not thrown, after it was closed', async () => {
      const log = await bench.open();
      expect(await log.health()).toMatchObject({ up: true });
      await log.close();
      expect(await log.health()).toMatchObject({ up: false });
    });
  });
}
