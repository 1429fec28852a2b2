import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AppendBreaker } from './append-breaker.js';
import { ClaimGroupCommit, type GroupCommitLimits } from './claim-group-commit.js';
import type { StorableEvent, StoreRequest } from './claim-group.js';

const limits: GroupCommitLimits = {
  groupEventsMax: 4000,
  groupsInFlightMax: 2,
  queueEventsMax: 20_000,
  answerMsMax: 60_000,
};

/** Longer than a group may take before it no longer holds up others. */
const slow_ms = 50;

/** Ends what a test left running, whose answers would be given up during another. */
let endAll: () => Promise<void>;

afterEach(() => endAll());

/** A request of events that nobody looks into. */
function request(name: string, events = 1): StoreRequest {
  const event = { traceparent: name } as StorableEvent;
  return { strict: true, events: Array.from({ length: events }, () => event) };
}

/** Groups that take until the test ends them; `begun` are the names of the requests of each. */
function heldGroups(changed: Partial<GroupCommitLimits> = {}) {
  const begun: string[][] = [];
  const running: ((failure?: Error) => void)[] = [];
  const groups = new ClaimGroupCommit(
    (requests) =>
      new Promise((resolve, reject) => {
        begun.push(requests.map(({ events }) => events[0]!.traceparent!));
        running.push((failure) => {
          if (failure !== undefined) reject(failure);
          else resolve(requests.map(() => []));
        });
      }),
    new AppendBreaker(),
    { ...limits, ...changed },
  );
  const store = (name: string, events?: number) => groups.store(request(name, events));
  const end = async (failure?: Error): Promise<void> => {
    running.shift()!(failure);
    await looked();
  };
  endAll = async () => {
    while (running.length > 0) await end();
  };
  return { groups, store, begun, end };
}

/** As many turns of the event loop as a look at what waits takes, however long they last. */
async function looked(): Promise<void> {
  for (let turn = 0; turn < 8; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

describe('claim groups', () => {
  it('store at once when idle, and together what comes right behind each other', async () => {
    const { store, begun, end } = heldGroups();
    const stored = [store('a'), store('b')];
    await looked();
    expect(begun).toEqual([['a', 'b']]);
    await end();
    expect(await Promise.all(stored)).toEqual([[], []]);
  });

  it('answer in time also who has to wait for something else first', async () => {
    const { groups } = heldGroups({ answerMsMax: 1 });
    const never = new Promise<never>(() => undefined);
    await expect(groups.inTime(never)).rejects.toMatchObject({ code: 'store_uncertain' });
    expect(await groups.inTime(Promise.resolve('stored'))).toBe('stored');
  });

  it('gather while one runs, and let a large one run beside it', async () => {
    const { store, begun } = heldGroups();
    void store('a');
    await looked();
    void store('b');
    void store('c', 1000);
    await looked();
    expect(begun).toEqual([['a'], ['b', 'c']]);
  });

  it('do not wait behind a slow one, even if nothing else happens', async () => {
    const { store, begun } = heldGroups();
    void store('a');
    await looked();
    void store('b');
    await looked();
    await pause(slow_ms);
    await looked();
    expect(begun).toEqual([['a'], ['b']]);
  });

  it('are never more than may be in flight, however slow', async () => {
    const { store, begun, end } = heldGroups();
    for (const name of ['a', 'b', 'c']) {
      void store(name);
      await looked();
      await pause(slow_ms);
      await looked();
    }
    expect(begun).toEqual([['a'], ['b']]);
    await end();
    expect(begun).toEqual([['a'], ['b'], ['c']]);
  });

  it('take no more events than one may have, except in a single request', async () => {
    const { store, begun, end } = heldGroups({ groupEventsMax: 3, groupsInFlightMax: 1 });
    for (const [name, events] of [
      ['a', 2],
      ['b', 2],
      ['c', 5],
      ['d', 1],
    ] as const) {
      void store(name, events);
    }
    await looked();
    for (let group = 0; group < 3; group += 1) await end();
    expect(begun).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  it('answer that the outcome is unknown when one fails, and go on', async () => {
    const { store, begun, end } = heldGroups();
    const failed = store('a').catch((error: unknown) => error);
    await looked();
    await end(new Error('connection lost'));
    expect(await failed).toMatchObject({ code: 'store_uncertain' });
    void store('b');
    await looked();
    expect(begun).toEqual([['a'], ['b']]);
  });

  it('refuse what no longer fits the queue, and nothing that was taken on', async () => {
    const { store, end } = heldGroups({ queueEventsMax: 2, groupsInFlightMax: 1 });
    void store('a');
    await looked();
    const waiting = [store('b'), store('c')];
    await expect(store('d')).rejects.toMatchObject({ code: 'overloaded' });
    await end();
    await end();
    expect(await Promise.all(waiting)).toEqual([[], []]);
  });
});
