import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openOpsWorld, received, receivedRecord, underWay, type OpsWorld } from './ops-world.js';

let world: OpsWorld;
const own_records = 400;
const foreign_records = 50;

beforeAll(async () => {
  world = await openOpsWorld();
  const of = (organizationId: string, count: number) =>
    Array.from({ length: count }, () => receivedRecord(organizationId));
  await world.log.append(received, of(world.organizationId, own_records));
  await world.log.append(received, of(randomUUID(), foreign_records));
});
afterAll(() => world.close());

const replay = (...options: string[]) =>
  ['replay', received, '--from', 'beginning', ...options] as const;

/** How often each key is in the topic. */
async function copies(): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { key } of await world.recordsOf(received)) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

describe('ops replay', () => {
  it('counts what it would append, of one organization if told so, and leaves it', async () => {
    const all = await world.done(...replay());
    expect(all).toMatchObject({
      executed: false,
      plan: { records: own_records + foreign_records },
    });
    const ofOne = await world.done(...replay('--organization', 'acme'));
    expect(ofOne).toMatchObject({ plan: { records: own_records, organization: 'acme' } });
    expect(await world.recordsOf(received)).toHaveLength(own_records + foreign_records);
  });

  it('killed with -9 half-way and asked for again, it replays the rest', async () => {
    const command = replay('--organization', 'acme', '--execute');
    const killed = world.start(...command, '--rate', '100');
    const operationId = await underWay(world, 'replay');
    await killed.end('SIGKILL');
    const half = (await world.recordsOf(received)).length - own_records - foreign_records;
    expect(half).toBeGreaterThan(0);
    expect(half).toBeLessThan(own_records);
    const listed = await world.done('operations', 'show', operationId);
    expect(listed).toMatchObject({ state: 'interrupted' });
    const done = await world.done(...command);
    expect(done).toMatchObject({ operationId, resumed: true, replayed: own_records });
    const replayed = (await world.recordsOf(received)).filter(
      ({ headers }) => headers['replay.operation'] === operationId,
    );
    expect(new Set(replayed.map(({ key }) => key)).size).toBe(own_records);
    // At most the part at hand was appended twice.
    expect(replayed.length - own_records).toBeLessThanOrEqual(50);
    expect(replayed.every(({ headers }) => headers['replay.count'] === '1')).toBe(true);
    const foreign = [...(await copies()).values()].filter((count) => count === 1);
    expect(foreign).toHaveLength(foreign_records);
  });

  it('runs once at a time, stops at ctrl-C with code 130, and continues', async () => {
    const command = replay('--to', 'PT0S', '--execute');
    const first = world.start(...command, '--rate', '5');
    const operationId = await underWay(world, 'replay');
    expect(await world.refusal(...command)).toEqual([1, 'busy']);
    expect(await first.end('SIGINT')).toBe(130);
    expect(JSON.parse(first.err())).toMatchObject({
      error: { code: 'interrupted', message: expect.stringContaining('continues it') },
    });
    expect(await world.done(...replay('--to', 'PT0S'))).toMatchObject({
      executed: false,
      unfinished: { operationId },
    });
    const cancelled = ['operations', 'cancel', operationId];
    expect(await world.done(...cancelled)).toMatchObject({ executed: false });
    expect(await world.done(...cancelled, '--execute')).toMatchObject({ executed: true });
    const left = await world.done('operations', 'list', '--state', 'cancelled');
    expect(left).toMatchObject([{ operationId }]);
    expect(await world.refusal(...cancelled)).toEqual([1, 'operation_ended']);
  });

  it('is not for what was set aside', async () => {
    const command = ['replay', `${received}.quarantine`, '--from', 'beginning'];
    expect(await world.refusal(...command)).toEqual([2, 'usage']);
    const { err } = await world.ops(...command);
    expect(err).toContain('ops quarantine redrive');
  });
});
