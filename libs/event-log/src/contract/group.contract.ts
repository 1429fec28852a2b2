import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { GroupActiveError, OffsetOutOfRangeError } from '../event-log.js';
import { offsetsFrom, offsetsIn, type ContractBench } from './contract-bench.js';
import { eventually } from './eventually.js';

export function groupContract(bench: ContractBench): void {
  async function consume(group: string, topic: string, count: number): Promise<bigint[]> {
    const { records, subscription } = await bench.collect({ group, topics: [topic] });
    await eventually(`${count} records are delivered`, () => records().length >= count);
    await subscription.stop();
    return offsetsIn(records());
  }

  describe('a group', () => {
    it('goes on where it stopped', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 10);
      expect(await consume('g', topic, 10)).toEqual(offsetsFrom(0n, 10));
      await bench.append(topic, 10, 10);
      expect(await consume('g', topic, 10)).toEqual(offsetsFrom(10n, 10));
    });

    it('knows nothing of another group on the same topic', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 10);
      expect(await consume('one', topic, 10)).toEqual(offsetsFrom(0n, 10));
      expect(await bench.log.committed('other', topic)).toEqual(new Map());
      expect(await consume('other', topic, 10)).toEqual(offsetsFrom(0n, 10));
    });

    it('has a lag per partition: what it has not committed', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 10);
      expect(await bench.log.lag('g', topic)).toEqual([
        { partition: 0, committed: null, high: 10n, lag: 10n },
      ]);
      await consume('g', topic, 10);
      await bench.append(topic, 4, 10);
      expect(await bench.log.lag('g', topic)).toEqual([
        { partition: 0, committed: 10n, high: 14n, lag: 4n },
      ]);
    });

    it('is rewound by offset', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 10);
      await consume('g', topic, 10);
      const offsets = new Map([[0, 4n]]);
      await bench.log.resetGroup('g', topic, { at: 'offsets', offsets });
      expect(await consume('g', topic, 6)).toEqual(offsetsFrom(4n, 6));
    });

    it('is rewound by time', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 5);
      await sleep(5);
      await bench.append(topic, 5, 5);
      await consume('g', topic, 10);
      const time = new Date((await bench.read(topic))[5]!.appendedAt);
      await bench.log.resetGroup('g', topic, { at: 'time', time });
      expect(await consume('g', topic, 5)).toEqual(offsetsFrom(5n, 5));
    });

    it('is set to the beginning or to the end', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 10);
      await bench.log.resetGroup('g', topic, { at: 'end' });
      expect((await bench.log.lag('g', topic))[0]!.lag).toBe(0n);
      await bench.log.resetGroup('g', topic, { at: 'beginning' });
      expect(await consume('g', topic, 10)).toEqual(offsetsFrom(0n, 10));
    });

    it('is not set to an offset that the log does not have', async () => {
      const topic = await bench.topic();
      const offsets = new Map([[0, 1n]]);
      const reset = bench.log.resetGroup('g', topic, { at: 'offsets', offsets });
      await expect(reset).rejects.toThrow(OffsetOutOfRangeError);
    });

    it('is not moved while it is live', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 10);
      const { records, subscription } = await bench.collect({ group: 'g', topics: [topic] });
      await eventually('it is at the end', () => records().length === 10);
      const reset = (): Promise<void> => bench.log.resetGroup('g', topic, { at: 'beginning' });
      await expect(reset()).rejects.toMatchObject({ name: GroupActiveError.name, members: 1 });
      await subscription.stop();
      await reset();
      expect(await bench.log.committed('g', topic)).toEqual(new Map([[0, 0n]]));
    });
  });
}
