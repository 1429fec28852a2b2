import { describe, expect, it } from '@jest/globals';
import { Gathering } from './gathering.js';

interface GatheredBatch {
  readonly partition: number;
  readonly rows: number;
}

const batch = (partition: number, rows: number): GatheredBatch => ({ partition, rows });

/** A store whose inserts end when the test says so. */
function slowStore() {
  const inserts: { partitions: number[]; end: (error?: Error) => void }[] = [];
  const store = (batches: readonly GatheredBatch[]) =>
    new Promise<void>((resolve, reject) => {
      const partitions = batches.map(({ partition }) => partition);
      inserts.push({ partitions, end: (error) => (error ? reject(error) : resolve()) });
    });
  return { inserts, store };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 15));
const limits = { sizeMax: 20, sizeEnough: 10, waitMs: 1 };

describe('gathering batches', () => {
  it('stores at once what is enough, and gathers what arrives meanwhile', async () => {
    const { inserts, store } = slowStore();
    const gathering = new Gathering({ ...limits, waitMs: 60_000 }, ({ rows }) => rows, store);
    const first = gathering.add(batch(0, 10));
    expect(inserts.map(({ partitions }) => partitions)).toEqual([[0]]);
    const others = [1, 2, 3].map((partition) => gathering.add(batch(partition, 4)));
    await turn();
    expect(inserts).toHaveLength(1);
    inserts[0]!.end();
    await first;
    await turn();
    expect(inserts[1]?.partitions).toEqual([1, 2, 3]);
    inserts[1]!.end();
    await Promise.all(others);
  });

  it('stores what is less than enough after the longest wait', async () => {
    const { inserts, store } = slowStore();
    const gathering = new Gathering(limits, ({ rows }) => rows, store);
    const added = [gathering.add(batch(0, 1)), gathering.add(batch(1, 0))];
    expect(inserts).toEqual([]);
    await turn();
    expect(inserts[0]?.partitions).toEqual([0, 1]);
    inserts[0]!.end();
    await Promise.all(added);
  });

  it('stores no more than the maximum at once, and never cuts a batch', async () => {
    const { inserts, store } = slowStore();
    const gathering = new Gathering(limits, ({ rows }) => rows, store);
    const added = [batch(0, 10), batch(1, 12), batch(2, 12), batch(3, 30)].map((rows) =>
      gathering.add(rows),
    );
    for (let index = 0; index < 4; index += 1) {
      await turn();
      inserts[index]!.end();
    }
    await Promise.all(added);
    expect(inserts.map(({ partitions }) => partitions)).toEqual([[0], [1], [2], [3]]);
  });

  it('tells everybody whose rows were in a failed insert, keeps none, and goes on', async () => {
    const { inserts, store } = slowStore();
    const gathering = new Gathering(limits, ({ rows }) => rows, store);
    const failing = [gathering.add(batch(0, 5)), gathering.add(batch(1, 5))];
    inserts[0]!.end(new Error('away'));
    for (const added of failing) await expect(added).rejects.toThrow('away');
    const next = gathering.add(batch(2, 10));
    expect(inserts[1]?.partitions).toEqual([2]);
    inserts[1]!.end();
    await next;
  });
});
