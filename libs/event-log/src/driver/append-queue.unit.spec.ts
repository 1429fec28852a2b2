import { describe, expect, it } from '@jest/globals';
import {
  LogBackpressureError,
  LogUnavailableError,
  type LogAck,
  type LogRecordInput,
} from '../event-log.js';
import { AppendQueue } from './append-queue.js';
import {
  default_embedded_log_limits,
  type EmbeddedLogLimits,
} from '../embedded/embedded-log-limits.js';

const record = (key: string): LogRecordInput => ({ key, value: Buffer.from(key) });

/** A queue whose flushes wait for the test; `flushes` are the keys of each. */
function heldQueue(limits: Partial<EmbeddedLogLimits> = {}) {
  const flushes: string[][] = [];
  const waiting: ((failure?: Error) => void)[] = [];
  let offset = 0n;
  const queue = new AppendQueue(
    (records, leaving) =>
      new Promise<readonly LogAck[]>((resolve, reject) => {
        leaving();
        flushes.push(records.map(({ key }) => key));
        waiting.push((failure) => {
          if (failure !== undefined) reject(failure);
          else resolve(records.map(() => ({ partition: 0, offset: offset++ })));
        });
      }),
    { ...default_embedded_log_limits, ...limits },
  );
  const finish = async (failure?: Error): Promise<void> => {
    await turn();
    waiting.shift()!(failure);
    await turn();
  };
  return { queue, flushes, finish };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('the append queue', () => {
  it('flushes at once when idle and gathers while a flush runs', async () => {
    const { queue, flushes, finish } = heldQueue();
    const first = queue.append([record('a')]);
    await turn();
    const later = ['b', 'c', 'd'].map((key) => queue.append([record(key)]));
    await finish();
    expect(flushes).toEqual([['a'], ['b', 'c', 'd']]);
    await finish();
    expect(await first).toEqual([{ partition: 0, offset: 0n }]);
    expect((await Promise.all(later)).flat().map(({ offset }) => offset)).toEqual([1n, 2n, 3n]);
  });

  it('never splits a call, and lets one that is larger than a flush travel alone', async () => {
    const { queue, flushes, finish } = heldQueue({ flushRecordsMax: 2 });
    const calls = [['a'], ['b', 'c'], ['d', 'e', 'f'], ['g']];
    const appends = calls.map((keys) => queue.append(keys.map(record)));
    for (let flush = 0; flush < calls.length; flush += 1) await finish();
    await Promise.all(appends);
    expect(flushes).toEqual(calls);
  });

  it('tells every call of a failed flush, and takes the next one', async () => {
    const { queue, finish } = heldQueue();
    const failed = [queue.append([record('a')]), queue.append([record('b')])];
    const failures = failed.map((call) => expect(call).rejects.toThrow('no disk'));
    await finish(new LogUnavailableError('no disk', false));
    await Promise.all(failures);
    const next = queue.append([record('c')]);
    await finish();
    expect(await next).toHaveLength(1);
  });

  it('counts bytes as well as records against its limit', async () => {
    const { queue, finish } = heldQueue({ queueBytesMax: 100 });
    const first = queue.append([{ key: 'a', value: Buffer.alloc(60) }]);
    expect(() => queue.append([{ key: 'b', value: Buffer.alloc(60) }])).toThrow(
      LogBackpressureError,
    );
    expect(() => queue.append([{ key: 'c', value: Buffer.alloc(200) }])).toThrow(RangeError);
    await finish();
    await first;
  });

  it('knows for a call that waits that it was not stored, for a sent one it does not', async () => {
    const { queue, finish } = heldQueue();
    const sentAbort = new AbortController();
    const sent = queue.append([record('a')], sentAbort.signal);
    await turn();
    const waitingAbort = new AbortController();
    const waiting = queue.append([record('b')], waitingAbort.signal);
    sentAbort.abort();
    waitingAbort.abort();
    await expect(sent).rejects.toMatchObject({ outcomeUnknown: true });
    await expect(waiting).rejects.toMatchObject({ outcomeUnknown: false });
    await finish();
    await queue.drain();
  });

  it('sends nothing of a call that was given up while its flush was prepared', async () => {
    const flushed: string[][] = [];
    let prepared = (): void => undefined;
    const queue = new AppendQueue(async (records, leaving) => {
      await new Promise<void>((resolve) => (prepared = resolve));
      leaving();
      flushed.push(records.map(({ key }) => key));
      return records.map((_, index) => ({ partition: 0, offset: BigInt(index) }));
    }, default_embedded_log_limits);
    const late = new AbortController();
    const given = queue.append([record('a')], late.signal);
    const kept = queue.append([record('b')]);
    await turn();
    late.abort();
    await expect(given).rejects.toMatchObject({ outcomeUnknown: false });
    prepared();
    await turn();
    prepared();
    expect(await kept).toEqual([{ partition: 0, offset: 0n }]);
    expect(flushed).toEqual([['b']]);
  });

  it('gives a call up at its deadline', async () => {
    const { queue, finish } = heldQueue({ appendDeadlineMs: 20 });
    await expect(queue.append([record('a')])).rejects.toThrow(LogUnavailableError);
    await finish();
  });
});
