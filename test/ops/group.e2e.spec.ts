import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { clerk_group, openOpsWorld, received, receivedRecord, type OpsWorld } from './ops-world.js';

let world: OpsWorld;
const records_appended = 40;

beforeAll(async () => {
  world = await openOpsWorld();
  const records = Array.from({ length: records_appended }, () =>
    receivedRecord(world.organizationId),
  );
  await world.log.append(received, records);
});
afterAll(() => world.close());

/** A member of the clerk's group; `delivered` is what it was given. */
async function join() {
  const delivered: string[] = [];
  const member = await world.log.subscribe({
    group: clerk_group,
    topics: [received],
    handler: async ({ records }) => void delivered.push(...records.map(({ key }) => key)),
  });
  return { delivered, stop: () => member.stop() };
}

/** Has a member read everything, and leave. */
async function readAll(): Promise<readonly string[]> {
  const { delivered, stop } = await join();
  await eventually(
    () => world.log.lag(clerk_group, received),
    (rows) => rows.every(({ committed, high, lag }) => lag === 0n && (committed ?? 0n) === high),
  ).catch((error: unknown) => {
    // A partition without records is never committed.
    if (delivered.length === 0) throw error;
  });
  await stop();
  return delivered;
}

/** Of a partition that holds no record nothing was ever committed, which is its beginning. */
const committed = async (): Promise<readonly (readonly [number, bigint])[]> => {
  const offsets = await world.log.committed(clerk_group, received);
  const ranges = await world.log.ranges(received);
  return ranges.map(({ partition }) => [partition, offsets.get(partition) ?? 0n]);
};
const reset = (...options: string[]) =>
  ['group', 'reset', clerk_group, '--topic', received, ...options] as const;

interface Reset {
  readonly moves: readonly { partition: number; from: number; to: number; again: number }[];
  readonly operationId: string;
}
const againOf = ({ moves }: Reset) => moves.reduce((sum, { again }) => sum + again, 0);

describe('ops group', () => {
  beforeEach(async () => void (await readAll()));

  it('lists groups with what they still have to read, in all and by partition', async () => {
    await world.log.append(received, [receivedRecord(world.organizationId)]);
    const groups = (await world.done('group', 'list')) as unknown as Record<string, unknown>[];
    expect(groups).toContainEqual({
      group: clerk_group,
      topics: [received],
      members: 0,
      lag: 1,
    });
    const rows = (await world.done('group', 'lag', clerk_group)) as unknown as { lag: number }[];
    expect(rows).toHaveLength((await world.log.ranges(received)).length);
    expect(rows.reduce((sum, { lag }) => sum + lag, 0)).toBe(1);
    expect(await world.refusal('group', 'lag', 'nobody')).toEqual([1, 'group_not_found']);
  });

  it('reset shows for each partition what is delivered again, and moves nothing', async () => {
    const before = await committed();
    const { executed, plan } = await world.done(...reset('--to', 'beginning'));
    expect(executed).toBe(false);
    const { moves } = plan as Reset;
    expect(moves.map(({ partition, from }) => [partition, BigInt(from ?? 0)])).toEqual(before);
    expect(againOf(plan as Reset)).toBeGreaterThanOrEqual(records_appended);
    expect(await committed()).toEqual(before);
    const { out } = await world.ops(...reset('--to', 'beginning'));
    expect(out).toContain('Nothing was changed; --execute does it.');
  });

  it('reset with --execute has the records delivered again, and --undo puts it back', async () => {
    const before = await committed();
    const done = await world.done(...reset('--to', 'beginning', '--execute', '--by', 'ada'));
    expect((await committed()).every(([, offset]) => offset === 0n)).toBe(true);
    const planned = await world.done('group', 'reset', '--undo');
    expect(planned).toMatchObject({ executed: false, plan: { group: clerk_group } });
    expect((await committed()).every(([, offset]) => offset === 0n)).toBe(true);
    await world.done('group', 'reset', '--undo', done['operationId'] as string, '--execute');
    expect(await committed()).toEqual(before);
    const shown = await world.done('operations', 'show', done['operationId'] as string);
    expect(shown).toMatchObject({ state: 'completed', requestedBy: 'ada', command: 'group reset' });
    expect(await world.refusal('group', 'reset', '--undo')).toEqual([1, 'nothing_to_undo']);
  });

  it('reset to a time or to offsets moves the group there', async () => {
    const [all, since] = [await committed(), '2020-01-01T00:00:00Z'];
    await world.done(...reset('--to-time', since, '--execute'));
    expect(new Set(await readAll()).size).toBeGreaterThanOrEqual(records_appended);
    const [partition, end] = all.find(([, offset]) => offset > 1n)!;
    const { moves } = (await world.done(
      ...reset('--to-offset', `${partition}:${end - 1n}`, '--execute'),
    )) as unknown as Reset;
    expect(moves).toMatchObject([{ partition, to: Number(end - 1n) }]);
    expect(await readAll()).toHaveLength(1);
    expect(againOf((await world.done(...reset('--by-duration', 'PT0S')))['plan'] as Reset)).toBe(0);
  });

  it('reset is refused while the group is live, and says what to stop', async () => {
    const before = await committed();
    const member = await join();
    try {
      const { code, json } = await world.ops(...reset('--to', 'beginning', '--execute', '--json'));
      expect([code, json]).toMatchObject([
        1,
        { error: { code: 'group_active', message: expect.stringContaining('ingest-worker') } },
      ]);
      expect((await world.done(...reset('--to', 'beginning')))['plan']).toMatchObject({
        members: 1,
      });
    } finally {
      await member.stop();
    }
    expect(await committed()).toEqual(before);
    await world.done(...reset('--to', 'end', '--execute'));
  });

  it('reset wants exactly one target that the log holds', async () => {
    expect(await world.refusal(...reset())).toEqual([2, 'usage']);
    expect(await world.refusal(...reset('--to', 'end', '--by-duration', 'PT1H'))).toEqual([
      2,
      'usage',
    ]);
    expect(await world.refusal('group', 'reset', '--undo', '--to', 'end')).toEqual([2, 'usage']);
    expect(await world.refusal(...reset('--to-offset', '0:99999'))).toEqual([
      1,
      'offset_out_of_range',
    ]);
  });
});
