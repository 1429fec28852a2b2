import { describe, expect, it } from '@jest/globals';
import {
  LogBackpressureError,
  LogUnavailableError,
  UnknownTopicError,
  type LogAck,
  type LogRecordInput,
} from '../event-log.js';
import { partitionOf } from '../partitioner.js';
import { LogChild } from './child-process.js';
import { numbered, offsetsFrom, offsetsIn, textOf, type ContractBench } from './contract-bench.js';
import { eventually } from './eventually.js';

export function appendContract(bench: ContractBench): void {
  describe('an append', () => {
    it('answers one acknowledgement per record, in input order and contiguous', async () => {
      const topic = await bench.topic(3);
      const acks = [...(await bench.append(topic, 100)), ...(await bench.append(topic, 50, 100))];
      expect(acks.map(({ partition }) => partition)).toEqual(
        numbered(150).map(({ key }) => partitionOf(key, 3)),
      );
      for (const partition of [0, 1, 2]) {
        const offsets = acks.filter((ack) => ack.partition === partition).map((ack) => ack.offset);
        expect(offsets).toEqual(offsetsFrom(0n, offsets.length));
      }
      for (const record of await bench.read(topic)) {
        const { partition, offset } = acks[Number(textOf(record))]!;
        expect([record.partition, record.offset]).toEqual([partition, offset]);
      }
    });

    it('sends one key to one partition, also after the log was opened anew', async () => {
      const topic = await bench.topic(6);
      const first = await bench.append(topic, 40);
      const reopened = await bench.open();
      const second = await reopened.append(topic, numbered(40));
      const partitions = (acks: readonly LogAck[]) => acks.map(({ partition }) => partition);
      expect(partitions(second)).toEqual(partitions(first));
      expect(new Set(partitions(first)).size).toBeGreaterThan(1);
    });

    it('of no records answers no acknowledgement', async () => {
      expect(await bench.log.append(await bench.topic(), [])).toEqual([]);
    });

    it('to a topic that was never created is refused by name', async () => {
      await expect(bench.append('contract.absent', 1)).rejects.toThrow(UnknownTopicError);
    });

    it('whose caller has given up stores nothing and says so', async () => {
      const topic = await bench.topic();
      const append = bench.log.append(topic, numbered(1), { signal: AbortSignal.abort() });
      await expect(append).rejects.toMatchObject({
        name: LogUnavailableError.name,
        outcomeUnknown: false,
      });
      expect(await bench.read(topic)).toEqual([]);
    });

    it('after the log was closed is refused, and nothing is in doubt', async () => {
      const topic = await bench.topic();
      const log = await bench.open();
      await log.close();
      await expect(log.append(topic, numbered(1))).rejects.toMatchObject({
        name: LogUnavailableError.name,
        outcomeUnknown: false,
      });
    });

    it('gives back headers, binary, empty, large and unicode content as it came', async () => {
      const topic = await bench.topic();
      const records: LogRecordInput[] = [
        { key: 'headers', value: Buffer.from('x'), headers: { ce_id: '1', 'ä ö': '日本\n' } },
        { key: 'binary', value: Buffer.from([0, 255, 254, 0, 10, 13]), headers: {} },
        { key: '', value: Buffer.alloc(0), headers: { empty: '' } },
        { key: 'large', value: Buffer.alloc(1024 * 1024, 'uptake '), headers: {} },
        { key: '🔑 clé', value: Buffer.from('🧮 “quoted” ünïcode'), headers: {} },
        { key: 'text', value: '{"text":"🧮 “quoted” ünïcode"}', headers: {} },
        { key: 'no text', value: '', headers: {} },
      ];
      await bench.log.append(topic, records);
      const read = await bench.read(topic);
      expect(read.map(({ key, headers }) => ({ key, headers }))).toEqual(
        records.map(({ key, headers }) => ({ key, headers })),
      );
      read.forEach(({ value }, index) => {
        const sent = records[index]!.value;
        const bytes = typeof sent === 'string' ? Buffer.from(sent) : sent;
        expect(Buffer.compare(value, bytes)).toBe(0);
      });
    });
  });

  describe('a full queue', () => {
    it('pushes back with a time to wait, stores nothing of the call, and recovers', async () => {
      const topic = await bench.topic();
      const log = await bench.open({ queueRecordsMax: 10 });
      const taken = log.append(topic, numbered(6));
      const refused: unknown = await log
        .append(topic, numbered(6, 100))
        .catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(LogBackpressureError);
      expect((refused as LogBackpressureError).retryAfterMs).toBeGreaterThan(0);
      await taken;
      await log.append(topic, numbered(6, 200));
      const numbers = (await bench.read(topic)).map((record) => Number(textOf(record)));
      expect(numbers).toEqual([0, 1, 2, 3, 4, 5, 200, 201, 202, 203, 204, 205]);
    });
  });

  describe('many appenders', () => {
    it('keep the order of each key: sixteen of them in two processes', async () => {
      const topic = await bench.topic(3);
      const keys = Array.from({ length: 16 }, (_, number) => `key-${number}`);
      const order = { address: bench.under.childAddress(), topic, recordsPerKey: 25 };
      const children = [keys.slice(0, 8), keys.slice(8)].map((half) =>
        bench.child(LogChild.appender({ ...order, keys: half })),
      );
      await eventually('both processes have appended everything', () =>
        children.every((child) => child.said('finished').length === 1),
      );
      const records = await bench.read(topic);
      expect(records).toHaveLength(16 * 25);
      for (const key of keys) {
        const numbers = records.filter((record) => record.key === key).map(textOf);
        expect(numbers).toEqual(numbered(25).map((record) => record.key));
      }
    });

    it('lose nothing that was acknowledged when one is killed with -9', async () => {
      const topic = await bench.topic(2);
      const keys = ['a', 'b', 'c', 'd'];
      const order = { address: bench.under.childAddress(), topic, keys, recordsPerKey: 1_000_000 };
      const child = bench.child(LogChild.appender(order));
      await eventually('many records are acknowledged', () => child.said('acked').length > 200);
      await child.kill();
      const records = await bench.read(topic);
      for (const { key, number, partition, offset } of child.said('acked')) {
        const matches = records.filter(
          (record) => record.key === key && textOf(record) === String(number),
        );
        expect(matches.map((record) => [record.partition, String(record.offset)])).toEqual([
          [partition, offset],
        ]);
      }
      for (const partition of [0, 1]) {
        const offsets = offsetsIn(records.filter((record) => record.partition === partition));
        expect(offsets).toEqual(offsetsFrom(0n, offsets.length));
      }
    });
  });
}
