import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Command } from 'commander';
import { openDatabase } from '#postgres/database.js';
import { OperationJournal } from '#postgres/operations/operation-journal.js';
import type { Operation } from '../../apps/ops/src/operations/operation.js';
import { changing, paced, runOperation } from '../../apps/ops/src/operations/run-operation.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';

let stores: SpecStores;
let database: Awaited<ReturnType<typeof openDatabase>>;

beforeAll(async () => {
  stores = await createSpecStores();
  database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
});
afterAll(async () => {
  await database.destroy();
  await stores.drop();
});

type Counting = Operation<{ readonly goal: number }, number, { readonly counted: number }>;

/** Counts to ten in steps of one; `before` is called ahead of each step. */
function counting(name: string, before: (next: number) => void | Promise<void>): Counting {
  return {
    command: 'spec count',
    arguments: { name },
    unit: 'numbers',
    plan: () => Promise.resolve({ goal: 10 }),
    total: ({ goal }) => goal,
    planLines: ({ goal }) => [`Would count to ${goal}.`],
    async *steps({ plan, place }) {
      for (let next = (place ?? 0) + 1; next <= plan.goal; next += 1) {
        await before(next);
        yield { units: 1, place: next };
      }
      return { counted: plan.goal };
    },
    resultLines: ({ counted }) => [`Counted to ${counted}.`],
  };
}

function run(operation: Counting, ...options: string[]) {
  const command = paced(changing(new Command('count'))).option('--json');
  command.parse([...options, '--json', '--by', 'spec'], { from: 'user' });
  return runOperation(command, database, operation);
}

const journal = () => new OperationJournal(database);
const entriesOf = async (name: string) =>
  (await journal().list({ command: 'spec count', limit: 100 })).filter(
    (entry) => entry.arguments['name'] === name,
  );

describe('an operation', () => {
  it('without --execute shows its plan and leaves nothing behind', async () => {
    const { lines, json } = await run(
      counting('plan', () => {
        throw new Error('no step may be taken');
      }),
    );
    expect(lines).toEqual(['Would count to 10.', 'Nothing was changed; --execute does it.']);
    expect(json).toMatchObject({ executed: false, plan: { goal: 10 }, unfinished: null });
    expect(await entriesOf('plan')).toEqual([]);
  });

  it('with --execute is done and stands in the audit, with who asked for it', async () => {
    const { json } = await run(
      counting('done', () => undefined),
      '--execute',
    );
    expect(json).toMatchObject({ executed: true, resumed: false, counted: 10 });
    expect(await entriesOf('done')).toMatchObject([
      {
        state: 'completed',
        requestedBy: 'spec',
        plan: { goal: 10 },
        checkpoint: { done: 10, place: 10 },
        result: { counted: 10 },
      },
    ]);
  });

  it('is a new one when the same is asked for again after its end', async () => {
    const again = counting('twice', () => undefined);
    await run(again, '--execute');
    expect((await run(again, '--execute')).json).toMatchObject({ resumed: false });
    expect(await entriesOf('twice')).toHaveLength(2);
  });

  it('that failed goes on behind its last whole step, under the plan it had', async () => {
    const failing = counting('fails', (next) => {
      if (next === 4) throw new Error('the store is away');
    });
    await expect(run(failing, '--execute')).rejects.toThrow('the store is away');
    expect(await entriesOf('fails')).toMatchObject([
      { state: 'failed', checkpoint: { done: 3 }, result: { error: 'the store is away' } },
    ]);
    const steps: number[] = [];
    const mended = counting('fails', (next) => void steps.push(next));
    const replanned = { ...mended, plan: () => Promise.resolve({ goal: 99 }) };
    expect((await run(replanned)).json).toMatchObject({
      plan: { goal: 10 },
      unfinished: { done: 3 },
    });
    expect((await run(replanned, '--execute')).json).toMatchObject({ resumed: true, counted: 10 });
    expect(steps).toEqual([4, 5, 6, 7, 8, 9, 10]);
    expect(await entriesOf('fails')).toMatchObject([{ state: 'completed' }]);
  });

  it('is refused to a second run while the first has its turn', async () => {
    let refused: unknown;
    const first = counting('busy', async (next) => {
      if (next !== 2) return;
      const [entry] = await entriesOf('busy');
      expect(entry?.live).toBe(true);
      const second = counting('busy', () => undefined);
      refused = await run(second, '--execute').catch((error: unknown) => error);
    });
    await run(first, '--execute');
    expect(refused).toMatchObject({ code: 'busy' });
    expect(await entriesOf('busy')).toMatchObject([{ state: 'completed', live: false }]);
  });

  it('stops after the step at hand when it is told to, and goes on later', async () => {
    const told = counting('signal', (next) => {
      if (next === 5) process.emit('SIGINT');
    });
    await expect(run(told, '--execute')).rejects.toMatchObject({ done: 5 });
    expect(await entriesOf('signal')).toMatchObject([{ state: 'running', live: false }]);
    const steps: number[] = [];
    const again = counting('signal', (next) => void steps.push(next));
    expect((await run(again, '--execute')).json).toMatchObject({ resumed: true });
    expect(steps[0]).toBe(6);
  });

  it('that is cancelled while it runs stops, and is not continued', async () => {
    const cancelled = counting('cancel', async (next) => {
      if (next !== 3) return;
      const [entry] = await entriesOf('cancel');
      expect(await journal().cancel(entry!.id, 'somebody else')).toBe(true);
    });
    await expect(run(cancelled, '--execute')).rejects.toMatchObject({ code: 'cancelled' });
    expect(await entriesOf('cancel')).toMatchObject([
      { state: 'cancelled', checkpoint: { done: 2 }, result: { cancelledBy: 'somebody else' } },
    ]);
    const anew = counting('cancel', () => undefined);
    expect((await run(anew, '--execute')).json).toMatchObject({ resumed: false });
  });
});
