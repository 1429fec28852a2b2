import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { appendFile, mkdtemp, readdir, readFile, rm, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { lockDirectory } from '#embedded-engines/directory-lock.js';
import { eventually } from '../support/eventually.js';
import { openOpsWorld, received, receivedRecord, type OpsWorld } from './ops-world.js';

let world: OpsWorld;
let folder: string;
const records_appended = 60;

beforeAll(async () => {
  world = await openOpsWorld();
  folder = await mkdtemp(join(tmpdir(), 'uptake-ops-log-'));
  for (let number = 0; number < records_appended - 1; number += 1) {
    const record = receivedRecord(world.organizationId, `event-${number}`);
    await world.log.append(received, [record]);
    // Of two partitions, records of the same millisecond have no order.
    await pause(2);
  }
  const secret = { key: 'odd', value: 'no JSON', headers: { authorization: 'Bearer geheim' } };
  await world.log.append(received, [secret]);
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await world.close();
});

interface Line {
  readonly partition: number;
  readonly offset: number;
  readonly key: string;
  readonly value: unknown;
}

const linesOf = (text: string): Line[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

async function lines(...parameters: string[]): Promise<Line[]> {
  const { code, out, err } = await world.ops(...parameters);
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return linesOf(out);
}

describe('ops log topics and describe', () => {
  it('say what the log holds, since when, and for how long', async () => {
    const topics = (await world.done('log', 'topics')) as unknown as Record<string, unknown>[];
    expect(topics.find(({ topic }) => topic === received)).toMatchObject({
      records: records_appended,
      oldest: expect.stringMatching(/^\d{4}-.*Z$/),
      retentionDays: 400,
    });
    expect(topics.find(({ topic }) => topic === 'usage.accepted.v1')).toMatchObject({
      records: 0,
      oldest: null,
    });
    const { partitions } = await world.done('log', 'describe', received);
    const sizes = (partitions as { low: number; high: number; records: number }[]).map(
      ({ low, high, records }) => [high - low, records],
    );
    expect(sizes.reduce((sum, [size]) => sum + size!, 0)).toBe(records_appended);
    expect(sizes.every(([size, records]) => size === records)).toBe(true);
  });

  it('refuse a topic that the log does not have', async () => {
    expect(await world.refusal('log', 'describe', 'nothing.v1')).toEqual([1, 'topic_not_found']);
  });
});

describe('ops log tail', () => {
  const tail = (...options: string[]) => lines('log', 'tail', received, '--json', ...options);

  it('shows the newest records, oldest of them first', async () => {
    const shown = await tail('--limit', '3');
    expect(shown.map(({ key }) => key)).toEqual(['event-57', 'event-58', 'odd']);
    expect(shown[0]!.value).toMatchObject({ eventId: 'event-57' });
    expect(shown[0]).not.toHaveProperty('headers');
  });

  it('shows the first records from a position on, of one partition or of one key', async () => {
    const [first] = await tail('--from', 'beginning', '--limit', '1');
    expect(first!.key).toBe('event-0');
    const at = `${first!.partition}:${first!.offset + 1}`;
    const [next] = await tail('--from', at, '--limit', '1');
    expect([next!.partition, next!.offset]).toEqual([first!.partition, first!.offset + 1]);
    const ofKey = await tail('--key', 'event-7');
    expect(ofKey.map(({ key }) => key)).toEqual(['event-7']);
    const since = await tail('--from', 'PT1H', '--limit', '1000');
    expect(since).toHaveLength(records_appended);
  });

  it('shows what is no JSON as bytes, and no header that looks like a credential', async () => {
    const [odd] = await tail('--key', 'odd', '--headers');
    expect(odd).toMatchObject({
      value: null,
      valueBase64: Buffer.from('no JSON').toString('base64'),
      headers: { authorization: '[redacted]' },
    });
    const { out } = await world.ops('log', 'tail', received, '--headers');
    expect(out).toContain('authorization: [redacted]');
    expect(out).not.toContain('geheim');
  });

  it('follows what comes until it is told to stop', async () => {
    const following = world.start('log', 'tail', received, '--from', 'end', '--follow');
    const key = 'followed';
    await eventually(
      async () => {
        await world.log.append(received, [receivedRecord(world.organizationId, key)]);
        return following.out();
      },
      (out) => out.includes(key),
    );
    expect(linesOf(following.out()).every((line) => line.key === key)).toBe(true);
    expect(await following.end('SIGINT')).toBe(0);
  });

  it('explains what a position may be', async () => {
    const { code, err } = await world.ops('log', 'tail', received, '--from', 'yesterday');
    expect([code, err]).toEqual([2, expect.stringContaining('0:15,3:20')]);
    expect(await world.refusal('log', 'tail', received, '--from', '0:999999')).toEqual([
      1,
      'offset_out_of_range',
    ]);
    expect(await world.refusal('log', 'tail', received, '--partition', '99')).toEqual([
      1,
      'partition_not_found',
    ]);
  });
});

describe('ops log export', () => {
  it('writes every record once, with where and when it was appended', async () => {
    const all = await world.recordsOf(received);
    const exported = await lines('log', 'export', received);
    const place = ({ partition, offset }: { partition: number; offset: number | bigint }) =>
      `${partition}/${offset}`;
    expect(exported.map(place).sort()).toEqual(all.map(place).sort());
    expect(exported[0]).toMatchObject({ topic: received, appendedAt: expect.any(String) });
  });

  it('writes to standard output when the file is -', async () => {
    const all = await lines('log', 'export', received, '--to', 'end');
    expect(await lines('log', 'export', received, '--to', 'end', '--out', '-')).toEqual(all);
  });

  it('writes a file for one process at a time', async () => {
    const path = join(folder, 'shared.ndjson');
    const args = ['log', 'export', received, '--out', path];
    const release = await lockDirectory(`${path}.lock`);
    expect(await world.refusal(...args)).toEqual([1, 'busy']);
    await release();
    await world.done(...args);
    expect((await readdir(folder)).filter((name) => name.startsWith('shared'))).toEqual([
      'shared.ndjson',
    ]);
  });

  it('says so when the end comes before the beginning', async () => {
    const reversed = ['--from', 'end', '--to', 'beginning'];
    expect(await world.refusal('log', 'export', received, ...reversed)).toEqual([1, 'empty_range']);
    expect(await lines('log', 'export', received, '--from', 'end', '--to', 'end')).toEqual([]);
  });

  it('refuses to write where nothing can be continued', async () => {
    for (const path of ['/dev/null', folder, join(folder, 'not there', 'file')]) {
      expect(await world.refusal('log', 'export', received, '--out', path)).toEqual([1, 'no_file']);
    }
  });

  it('continues a file behind its last complete line', async () => {
    const whole = join(folder, 'whole.ndjson');
    const cut = join(folder, 'cut.ndjson');
    const of = (file: string) => ['log', 'export', received, '--to', 'end', '--out', file];
    const { records } = await world.done(...of(whole));
    const text = await readFile(whole, 'utf8');
    const complete = text.split('\n').slice(0, 25).join('\n') + '\n';
    await appendFile(cut, complete + '{"topic":"usage.rec');
    expect(await world.done(...of(cut))).toMatchObject({
      heldBefore: 25,
      records: (records as number) - 25,
    });
    expect(linesOf(await readFile(cut, 'utf8')).sort(byPlace)).toEqual(linesOf(text).sort(byPlace));
    expect(await world.done(...of(cut))).toMatchObject({ heldBefore: records, records: 0 });
  });

  it.each(['a diary\n', 'a note without an end', '{"topic":"t"}'])(
    'leaves a file alone that is something else: %j',
    async (content) => {
      const other = join(folder, 'other.txt');
      await appendFile(other, content);
      expect(await world.refusal('log', 'export', received, '--out', other)).toEqual([
        1,
        'other_file',
      ]);
      expect(await readFile(other, 'utf8')).toBe(content);
      await truncate(other);
    },
  );
});

function byPlace(one: Line, other: Line): number {
  return one.partition - other.partition || one.offset - other.offset;
}
