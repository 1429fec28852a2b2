import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { usageReceivedQuarantineTopic } from '#contracts/topics.js';
import type { LogRecordInput } from '#event-log/event-log.js';
import {
  openOpsWorld,
  quarantinedRecord,
  received,
  receivedRecord,
  underWay,
  type OpsWorld,
} from './ops-world.js';

let world: OpsWorld;
const quarantine = usageReceivedQuarantineTopic.name;

beforeAll(async () => {
  world = await openOpsWorld();
});
afterAll(() => world.close());

/** Sets records of a reason of their own aside, each redriven so often before. */
async function setAside(reason: string, redrives: readonly number[]): Promise<readonly string[]> {
  const originals = redrives.map(() => receivedRecord(world.organizationId));
  await append(originals.map((one, index) => quarantinedRecord(one, reason, redrives[index])));
  return originals.map(({ key }) => key);
}

const append = (records: readonly LogRecordInput[]) => world.log.append(quarantine, records);

/** What was sent back, by key. */
async function redriven(keys: readonly string[]) {
  return (await world.recordsOf(received)).filter(({ key }) => keys.includes(key));
}

interface Listed {
  readonly open: number;
  readonly counts: readonly { reason: string; records: number }[];
  readonly newest: readonly { record: string; key: string; redrives: number }[];
}
const list = async (...options: string[]) =>
  (await world.done('quarantine', 'list', ...options)) as unknown as Listed;

const redrive = (reason: string, ...options: string[]) =>
  ['quarantine', 'redrive', '--reason', reason, ...options] as const;

describe('ops quarantine list and show', () => {
  it('count what is open by reason and stage, and show a record with why it is there', async () => {
    const [, newest] = await setAside('seen', [0, 2]);
    await append([quarantinedRecord({ key: 'broken', value: 'no JSON' }, 'seen_broken')]);
    const listed = await list('--reason', 'seen');
    expect(listed).toMatchObject({
      open: 2,
      counts: [{ topic: quarantine, reason: 'seen', stage: 'ingest-worker', records: 2 }],
    });
    const found = listed.newest.find(({ key }) => key === newest)!;
    expect(found.redrives).toBe(2);
    expect(await world.done('quarantine', 'show', found.record)).toMatchObject({
      state: 'open',
      reason: 'seen',
      origin: `${received}/0/0`,
      headers: { ce_id: newest },
      value: { eventId: newest },
    });
    const [broken] = (await list('--reason', 'seen_broken')).newest;
    expect(await world.done('quarantine', 'show', broken!.record)).toMatchObject({
      value: null,
      valueBase64: Buffer.from('no JSON').toString('base64'),
    });
  });

  it('filter by stage, topic and organization', async () => {
    const before = await list();
    expect((await list('--stage', 'projector')).open).toBe(0);
    expect((await list('--topic', received)).open).toBe(before.open);
    expect((await list('--organization', 'acme')).open).toBe(before.open - 1);
    expect(await world.refusal('quarantine', 'list', '--topic', 'nothing')).toEqual([2, 'usage']);
    expect(await world.refusal('quarantine', 'show', `${quarantine}/0/99999`)).toEqual([
      1,
      'record_not_found',
    ]);
  });
});

describe('ops quarantine redrive', () => {
  it('without --execute counts and sends nothing back', async () => {
    const keys = await setAside('planned', [0, 0, 5]);
    const planned = await world.done(...redrive('planned'));
    expect(planned).toMatchObject({ executed: false, plan: { records: 3, refused: 1 } });
    expect(await redriven(keys)).toEqual([]);
    expect((await list('--reason', 'planned')).open).toBe(3);
  });

  it('sends records back untouched, counted, and each only once', async () => {
    const keys = await setAside('sent', [0, 1, 4]);
    const done = await world.done(...redrive('sent', '--execute'));
    expect(done).toMatchObject({ executed: true, redriven: 3, discarded: 0, left: 0 });
    const sent = await redriven(keys);
    const counts = new Map(
      sent.map(({ key, headers }) => [key, headers['quarantine.replay_count']]),
    );
    expect(keys.map((key) => counts.get(key))).toEqual(['1', '2', '5']);
    for (const { key, headers, value } of sent) {
      expect(JSON.parse(Buffer.from(value).toString())).toMatchObject({ eventId: key });
      expect(headers['ce_id']).toBe(key);
      expect(Object.keys(headers).filter((name) => name.startsWith('quarantine.'))).toEqual([
        'quarantine.replay_count',
      ]);
    }
    expect((await list('--reason', 'sent')).open).toBe(0);
    expect(await world.done(...redrive('sent', '--execute'))).toMatchObject({ redriven: 0 });
    expect(await redriven(keys)).toHaveLength(3);
  });

  it('stops at a record that was redriven five times already', async () => {
    // One key, so that they lie one behind the other in one partition.
    const key = randomUUID();
    const of = (redrives: number) =>
      quarantinedRecord(receivedRecord(world.organizationId, key), 'stopping', redrives);
    await append([of(0), of(5), of(0)]);
    expect(await world.refusal(...redrive('stopping', '--execute'))).toEqual([
      1,
      'redrive_refused',
    ]);
    expect(await redriven([key])).toHaveLength(1);
    expect((await list('--reason', 'stopping')).open).toBe(2);
    const requeued = await world.done(
      ...redrive('stopping', '--execute', '--on-refused', 'requeue'),
    );
    expect(requeued).toMatchObject({ redriven: 1, left: 1, discarded: 0 });
    expect((await list('--reason', 'stopping')).newest).toMatchObject([{ redrives: 5 }]);
    const dropped = await world.done(...redrive('stopping', '--execute', '--on-refused', 'drop'));
    expect(dropped).toMatchObject({ redriven: 0, left: 0, discarded: 1 });
    expect((await list('--reason', 'stopping')).open).toBe(0);
    expect(await redriven([key])).toHaveLength(2);
  });

  it('killed with -9 half-way and asked for again, it sends back the rest', async () => {
    const keys = await setAside('killed', new Array<number>(300).fill(0));
    const killed = world.start(...redrive('killed', '--execute', '--rate', '10'));
    const operationId = await underWay(world, 'quarantine redrive');
    expect(await world.refusal('quarantine', 'discard', '--reason', 'x', '--execute')).toEqual([
      1,
      'busy',
    ]);
    await killed.end('SIGKILL');
    expect((await redriven(keys)).length).toBeLessThan(300);
    const done = await world.done(...redrive('killed', '--execute'));
    expect(done).toMatchObject({ operationId, resumed: true, redriven: 300 });
    const sent = await redriven(keys);
    expect(new Set(sent.map(({ key }) => key)).size).toBe(300);
    // At most the part at hand was sent back twice.
    expect(sent.length).toBeLessThanOrEqual(305);
    expect((await list('--reason', 'killed')).open).toBe(0);
  });
});

describe('ops quarantine discard', () => {
  it('gives up what it is told to, and nothing else', async () => {
    const keys = await setAside('worthless', [0, 0]);
    await setAside('worthy', [0]);
    const discard = ['quarantine', 'discard', '--reason', 'worthless'];
    const { record } = (await list('--reason', 'worthless')).newest[0]!;
    expect(await world.done(...discard)).toMatchObject({ executed: false, plan: { records: 2 } });
    expect((await list('--reason', 'worthless')).open).toBe(2);
    const done = await world.done(...discard, '--execute');
    expect(done).toMatchObject({ executed: true, discarded: 2 });
    expect((await list('--reason', 'worthless')).open).toBe(0);
    expect((await list('--reason', 'worthy')).open).toBe(1);
    expect(await world.done('quarantine', 'show', record)).toMatchObject({
      state: 'discarded',
      operationId: done['operationId'],
    });
    await world.done(...redrive('worthless', '--execute'));
    expect(await redriven(keys)).toEqual([]);
  });

  it('wants to be told which', async () => {
    expect(await world.refusal('quarantine', 'discard', '--execute')).toEqual([2, 'usage']);
  });
});
