import { describe, expect, it } from '@jest/globals';
import type { Subscription } from '../event-log.js';
import { LogChild } from './child-process.js';
import { offsetsFrom, offsetsIn, type ContractBench } from './contract-bench.js';
import { eventually } from './eventually.js';

const partitionsOf = (subscription: Subscription): number[] =>
  subscription.assignment().map(({ partition }) => partition);

/** Whether the shares together are the partitions 0 to `count - 1`, each once. */
function splitAll(count: number, ...shares: (readonly number[])[]): boolean {
  const owned = shares.flat().sort((one, other) => one - other);
  const all = Array.from({ length: count }, (_, partition) => partition);
  const sizes = shares.map(({ length }) => length);
  return owned.join() === all.join() && Math.max(...sizes) - Math.min(...sizes) <= 1;
}

export function membershipContract(bench: ContractBench): void {
  describe('the members of a group', () => {
    it('split all partitions; a third takes its share; one that leaves is replaced', async () => {
      const topic = await bench.topic(6);
      const group = { group: 'g', topics: [topic] };
      const one = await bench.collect(group);
      const two = await bench.collect(group, await bench.open());
      const shares = (): number[][] =>
        [one, two].map((member) => partitionsOf(member.subscription));
      await eventually('two members have three each', () => splitAll(6, ...shares()));
      const three = await bench.collect(group, await bench.open());
      await eventually('three members have two each', () =>
        splitAll(6, ...shares(), partitionsOf(three.subscription)),
      );
      await bench.append(topic, 200);
      const delivered = (): number =>
        [one, two, three].reduce((sum, member) => sum + member.records().length, 0);
      await eventually('everything is delivered', () => delivered() >= 200);
      expect(delivered()).toBe(200);
      await three.subscription.stop();
      await eventually('two members have three each again', () => splitAll(6, ...shares()));
      const summary = (await bench.log.groups()).find(({ topics }) => topics.includes(topic));
      expect(summary).toMatchObject({ group: 'g', members: 2 });
    });

    it('tell the handler of a partition that is taken away, and go on where it stood', async () => {
      const topic = await bench.topic(2);
      await bench.append(topic, 20);
      let told = 0;
      const one = await bench.collect({
        group: 'g',
        topics: [topic],
        handler: ({ records }, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              told += 1;
              resolve({ next: records[0]!.offset + 1n });
            });
          }),
      });
      await eventually('both handlers run', () => one.batches.length === 2);
      const two = await bench.collect({ group: 'g', topics: [topic] }, await bench.open());
      await eventually('the new member gets the rest', () => two.records().length > 0);
      expect(told).toBe(1);
      expect(two.records()[0]!.offset).toBe(1n);
    });

    it('replace one that is killed with -9, and its uncommitted batch comes again', async () => {
      const topic = await bench.topic(4);
      await bench.append(topic, 100);
      const child = bench.child(
        LogChild.member({
          address: bench.under.childAddress(),
          topic,
          group: 'g',
          batchRecordsMax: 5,
          hold: true,
        }),
      );
      await eventually('the child holds four batches', () => child.said('batch').length === 4);
      const { records, subscription } = await bench.collect({ group: 'g', topics: [topic] });
      await child.kill();
      await eventually('the survivor has every partition', () =>
        splitAll(4, partitionsOf(subscription)),
      );
      await eventually('everything is delivered', () => records().length >= 100);
      for (const { partition, high } of await bench.log.ranges(topic)) {
        const offsets = offsetsIn(records().filter((record) => record.partition === partition));
        expect(offsets).toEqual(offsetsFrom(0n, Number(high)));
      }
    });

    it('replace one that hangs, and what it commits later is void', async () => {
      const topic = await bench.topic();
      await bench.append(topic, 20);
      const tuning = { sessionTimeoutMs: 1_000 };
      const child = bench.child(
        LogChild.member({
          address: bench.under.childAddress(tuning),
          topic,
          group: 'g',
          batchRecordsMax: 5,
          hold: true,
        }),
      );
      await eventually('the child holds a batch', () => child.said('batch').length === 1);
      child.signal('SIGSTOP');
      const { records, subscription } = await bench.collect(
        { group: 'g', topics: [topic], batchRecordsMax: 5 },
        await bench.open(tuning),
      );
      const committed = async (): Promise<bigint | undefined> =>
        (await bench.log.committed('g', topic)).get(0);
      await eventually('the other has done everything', async () => (await committed()) === 20n);
      child.signal('SIGCONT');
      child.say('go');
      await eventually('the child returns', () => child.said('handled').length === 1);
      const spoken = child.said('assignment').length;
      await eventually(
        'the child has moved on',
        () => child.said('assignment').length > spoken + 5,
      );
      expect(await committed()).toBe(20n);
      expect(offsetsIn(records())).toEqual(offsetsFrom(0n, 20));
      expect(partitionsOf(subscription)).toEqual([0]);
      expect(child.said('batch').map(({ offsets }) => offsets.length)).toEqual([5]);
    });
  });
}
