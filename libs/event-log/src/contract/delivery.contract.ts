import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { OffsetOutOfRangeError, type LogBatch, type TopicPartition } from '../event-log.js';
import {
  keyFor,
  numbered,
  offsetsFrom,
  offsetsIn,
  textOf,
  type ContractBench,
} from './contract-bench.js';
import { eventually } from './eventually.js';

const hour_ms = 60 * 60 * 1000;

export function deliveryContract(bench: ContractBench): void {
  describe('a handler', () => {
    it('gets every record once, in offset order per partition, old and new', async () => {
      const topic = await bench.topic(3);
      await bench.append(topic, 100);
      const { records } = await bench.collect({ group: 'g', topics: [topic], batchRecordsMax: 9 });
      await bench.append(topic, 100, 100);
      await eventually('all are delivered', () => records().length >= 200);
      for (const { partition, high } of await bench.log.ranges(topic)) {
        const offsets = offsetsIn(records().filter((record) => record.partition === partition));
        expect(offsets).toEqual(offsetsFrom(0n, Number(high)));
      }
    });

    it('that throws gets the same batch again, while other partitions go on', async () => {
      const topic = await bench.topic(2);
      const [failing, healthy] = [keyFor(0, 2), keyFor(1, 2)];
      const failures: TopicPartition[] = [];
      const attempts: { attempt: number; offsets: bigint[] }[] = [];
      let broken = true;
      const { records } = await bench.collect({
        group: 'g',
        topics: [topic],
        onHandlerError: (_error, at) => failures.push(at),
        handler: async (batch, { attempt }) => {
          if (batch.partition === 1) return;
          attempts.push({ attempt, offsets: offsetsIn(batch.records) });
          if (broken) throw new TypeError('a programming mistake');
        },
      });
      await bench.log.append(topic, [{ key: failing, value: Buffer.from('poison') }]);
      await eventually('it has failed twice', () => failures.length >= 2);
      await bench.log.append(topic, [{ key: healthy, value: Buffer.from('fine') }]);
      await eventually('the other partition went on', () =>
        records().some((record) => record.key === healthy),
      );
      broken = false;
      await eventually('the failed batch is done', async () => {
        return (await bench.log.committed('g', topic)).get(0) === 1n;
      });
      expect(failures[0]).toEqual({ topic, partition: 0 });
      expect(attempts.map(({ attempt }) => attempt)).toEqual([...attempts.keys()]);
      expect(attempts.every(({ offsets }) => offsets.length === 1 && offsets[0] === 0n)).toBe(true);
    });

    it('that finished a part gets the rest again and nothing twice', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 10);
      const first: bigint[] = [];
      await bench.subscribe({
        group: 'g',
        topics: [topic],
        handler: async ({ records }) => {
          first.push(records[0]!.offset);
          if (records.length > 1) return { next: records[0]!.offset + 1n };
        },
      });
      await eventually('the end is reached', () => first.length >= 10);
      expect(first).toEqual(offsetsFrom(0n, 10));
      await eventually('the end is committed', async () => {
        return (await bench.log.committed('g', topic)).get(0) === 10n;
      });
    });

    it('that finished nothing, or more than it was given, gets its batch again', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 3);
      const failures: unknown[] = [];
      const attempts: number[] = [];
      const { batches } = await bench.collect({
        group: 'g',
        topics: [topic],
        onHandlerError: (error) => failures.push(error),
        handler: async ({ records }, { attempt }) => {
          attempts.push(attempt);
          if (attempt === 0) return { next: records[0]!.offset };
          if (attempt === 1) return { next: records.at(-1)!.offset + 2n };
        },
      });
      await eventually('the third run is committed', async () => {
        return (await bench.log.committed('g', topic)).get(0) === 3n;
      });
      expect(attempts).toEqual([0, 1, 2]);
      expect(batches.map(({ records }) => records.length)).toEqual([3, 3, 3]);
      expect(failures).toEqual([expect.any(RangeError)]);
    });

    it('that sets a poison message aside lives, and the next one flows', async () => {
      const topic = await bench.topic();
      const quarantine = await bench.topic();
      const done: string[] = [];
      const { subscription } = await bench.collect({
        group: 'g',
        topics: [topic],
        handler: async ({ records }) => {
          for (const record of records) {
            if (textOf(record) === 'poison') await bench.log.append(quarantine, [record]);
            else done.push(textOf(record));
          }
        },
      });
      for (const text of ['before', 'poison', 'after']) {
        await bench.log.append(topic, [{ key: text, value: Buffer.from(text) }]);
      }
      await eventually('the message after it is done', () => done.includes('after'));
      expect(done).toEqual(['before', 'after']);
      expect((await bench.read(quarantine)).map(textOf)).toEqual(['poison']);
      expect(subscription.assignment()).toEqual([{ topic, partition: 0 }]);
    });
  });

  describe('a subscription', () => {
    it('delivers nothing of a paused partition until it is resumed', async () => {
      const topic = await bench.topic(2);
      const paused = { topic, partition: 0 };
      const { records, subscription } = await bench.collect({ group: 'g', topics: [topic] });
      await eventually('both are assigned', () => subscription.assignment().length === 2);
      subscription.pause([paused]);
      const keys = [keyFor(0, 2), keyFor(1, 2)];
      await bench.log.append(
        topic,
        keys.map((key) => ({ key, value: Buffer.from('x') })),
      );
      await eventually('the other partition flows', () => records().length > 0);
      await sleep(100);
      expect(records().map(({ partition }) => partition)).toEqual([1]);
      subscription.resume([paused]);
      await eventually('the paused record arrives', () => records().length === 2);
    });

    it('that stops lets the running handler finish, commits it, and leaves', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 3);
      const events: string[] = [];
      const { batches, subscription } = await bench.collect({
        group: 'leaving',
        topics: [topic],
        handler: async (_batch, { signal }) => {
          signal.addEventListener('abort', () => events.push('told to stop'));
          await sleep(100);
          events.push('finished');
        },
      });
      await eventually('the handler runs', () => batches.length === 1);
      await subscription.stop();
      await subscription.done;
      expect(events).toEqual(['told to stop', 'finished']);
      expect(await bench.log.committed('leaving', topic)).toEqual(new Map([[0, 3n]]));
      expect(subscription.assignment()).toEqual([]);
      const group = (await bench.log.groups()).find((candidate) => candidate.group === 'leaving');
      expect(group).toEqual({ group: 'leaving', topics: [topic], members: 0 });
      await bench.append(topic, 3, 3);
      expect(batches).toHaveLength(1);
    });

    it('ends with a rejection when what it should read next is gone', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 5);
      await bench.log.resetGroup('g', topic, {
        at: 'offsets',
        offsets: new Map([[0, 2n]]),
      });
      await bench.log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 1 }]);
      await sleep(10);
      await bench.under.expire(bench.log);
      await bench.log.ensureTopics([{ name: topic, partitions: 1, retentionMs: hour_ms }]);
      await bench.append(topic, 5, 5);
      const delivered: LogBatch[] = [];
      const subscription = await bench.log.subscribe({
        group: 'g',
        topics: [topic],
        handler: async (batch) => void delivered.push(batch),
      });
      await expect(subscription.done).rejects.toThrow(OffsetOutOfRangeError);
      expect(delivered).toEqual([]);
      expect((await bench.log.committed('g', topic)).get(0)).toBe(2n);
    });

    it('delivers several topics to one handler', async () => {
      const topics = [await bench.topic(), await bench.topic(2)];
      for (const topic of topics) await bench.log.append(topic, numbered(10));
      const { records } = await bench.collect({ group: 'g', topics });
      await eventually('both topics are delivered', () => records().length === 20);
      expect(new Set(records().map(({ topic }) => topic))).toEqual(new Set(topics));
    });
  });
}
