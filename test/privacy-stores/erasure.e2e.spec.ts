import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { personalTables } from '#read-models/personal/personal-tables.js';
import { eventually } from '../support/eventually.js';
import { first_version } from '../support/first-version.js';
import { readLogContents } from '../support/log-contents.js';
import { startSpecService, type SpecService } from '../support/service.js';
import { newEvent } from '../support/tracking-events.js';
import { runErase, type EraseRun } from './erase-run.js';
import { replayFromTheBeginning } from './replay.js';

let service: SpecService;
let database: Database;
let clickhouse: Clickhouse;

beforeEach(async () => {
  service = await startSpecService({ BATCH_THREADS: '0' });
  const { databaseUrl, clickhouseUrl } = service.config;
  database = await openDatabase({ url: databaseUrl!, app: 'spec' });
  clickhouse = openClickhouse({ url: clickhouseUrl!, app: 'spec' });
});

afterEach(async () => {
  await clickhouse.close();
  await database.destroy();
  await service.stop();
});

const address = 'ada@private-person.example';
const others = 5;
const byId = ['--org', 'acme', '--developer-id-stdin'];
const byEmail = ['--email-stdin'];

const track = async (...events: object[]) => {
  const { status } = await service.post('/api/usage/track/batch', { events });
  expect(status).toBe(200);
};
/** Three events of Ada: under her id, under her address, and later one that tells they are one. */
async function trackAda(): Promise<void> {
  await track(newEvent({ developer_id: 'ada' }), newEvent({ developer_id: null, email: address }));
  await eventually(registered, (hashes) => hashes === 2);
  await track(newEvent({ developer_id: 'ada', email: address }));
}
const trackOthers = () => track(...Array.from({ length: others }, () => newEvent()));

async function storedRows(): Promise<number> {
  const [row] = await clickhouse.rows<{ count: number }>(
    'SELECT toUInt32(count()) AS count FROM usage_events_v1 FINAL',
  );
  return row!.count;
}

const stored = (rows: number) => eventually(storedRows, (count) => count === rows);

/** Every key that any personal table holds. */
async function storedKeys(): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { table, devKeyColumn } of personalTables([first_version])) {
    const rows = await clickhouse.rows<{ key: string }>(
      `SELECT DISTINCT toString(${devKeyColumn}) AS key FROM ${table}`,
    );
    for (const { key } of rows) keys.add(key);
  }
  return keys;
}

const count = async (sql: string) =>
  (await database.query<{ count: number }[]>(`select count(*)::int as count ${sql}`))[0]!.count;

const registered = () => count('from developer_identity');

/** Ada and the others, projected and published. */
async function projectEverybody(): Promise<void> {
  await service.startClerk();
  await service.startProjector();
  await trackAda();
  await trackOthers();
  await stored(3 + others);
  await service.publish();
}

/** Nothing of Ada is stored but the ledger, and all of the others is. */
async function expectOnlyOthers(): Promise<void> {
  expect(await storedRows()).toBe(others);
  expect((await storedKeys()).size).toBe(others);
  expect(await registered()).toBe(others);
  expect(await count('from developer_alias')).toBe(0);
}

const jsonOf = ({ out }: EraseRun) => JSON.parse(out) as Record<string, unknown>;

describe('ops erase', () => {
  it('says what it would delete and changes nothing, until it is told to', async () => {
    await projectEverybody();
    const plan = await runErase(service, [...byId, '--json'], 'ada\n');
    expect(plan).toMatchObject({ code: 0, err: '' });
    expect(jsonOf(plan)).toMatchObject({
      executed: false,
      identities: 2,
      keys: 2,
      rows: { usage_events_v1: 3 },
      unfinished: 0,
    });
    expect(await storedRows()).toBe(3 + others);
    expect(await count('from erasure')).toBe(0);
    expect(await registered()).toBe(2 + others);
  });

  it.each([
    ['the id', byId, 'ada'],
    ['the e-mail address', byEmail, ` ${address.toUpperCase()}\n`],
  ])('by %s deletes all of one developer and nothing else', async (_by, parameters, identifier) => {
    await projectEverybody();
    const run = await runErase(service, [...parameters, '--execute', '--by', 'Grace'], identifier);
    expect(run).toMatchObject({ code: 0, err: '' });
    await expectOnlyOthers();
    await service.publish();
    await expectOnlyOthers();
  });

  it('leaves an audit record of who, when and how much, and of nobody', async () => {
    await projectEverybody();
    const run = await runErase(
      service,
      [...byEmail, '--execute', '--by', 'Grace', '--json'],
      address,
    );
    const [record] = await database.query<Record<string, unknown>[]>(
      `select id::text as id, requested_by as "requestedBy", started_at as "startedAt",
              completed_at as "completedAt", counts from erasure`,
    );
    const { counts, ...rest } = record as { readonly counts: object };
    const written = JSON.parse(JSON.stringify({ ...rest, ...counts })) as object;
    expect(jsonOf(run)).toEqual({ executed: true, erasures: [written] });
    expect(written).toMatchObject({ requestedBy: 'Grace', identities: 2 });
    expect(written).toMatchObject({ rows: { usage_events_v1: 3 } });
    const list = await runErase(service, ['list', '--json'], '');
    expect(jsonOf(list)).toEqual([written]);
    for (const text of [run.out, list.out, JSON.stringify(record)]) {
      expect(text).not.toContain('ada');
    }
  });

  it('marks the days that it touched', async () => {
    await projectEverybody();
    expect(await count('from dirty_day')).toBe(0);
    await runErase(service, [...byId, '--execute'], 'ada');
    expect(await count('from dirty_day')).toBeGreaterThan(0);
  });

  it('says so when it knows nobody, and when somebody was erased before', async () => {
    await projectEverybody();
    const nobody = await runErase(service, [...byId, '--execute', '--json'], 'nobody');
    expect(nobody.code).toBe(1);
    expect(nobody.err).toContain('developer_not_found');
    await runErase(service, [...byId, '--execute'], 'ada');
    const again = await runErase(service, [...byId, '--execute'], 'ada');
    expect(again.code).toBe(1);
    expect(again.err).toContain('Erased before');
  });

  it('finds whoever the API takes: ids with line breaks, addresses with quotes', async () => {
    await service.startClerk();
    await track(
      newEvent({ developer_id: 'one\ntwo\n' }),
      newEvent({ developer_id: null, email: '"a b"@customer.example' }),
    );
    await eventually(registered, (hashes) => hashes === 2);
    for (const [by, identifier] of [
      [[...byId, '--json-string'], '"one\\ntwo\\n"\n'],
      [byEmail, '"a b"@customer.example\n'],
    ] as const) {
      const plan = await runErase(service, [...by, '--json'], identifier);
      expect(plan).toMatchObject({ code: 0, err: '' });
      expect(jsonOf(plan)).toMatchObject({ identities: 1 });
    }
    expect((await runErase(service, [...byId, '--json-string'], 'ada')).code).toBe(2);
  });

  it('takes one identifier, by one way, from standard input only', async () => {
    const usage = async (parameters: readonly string[], identifier: string) =>
      (await runErase(service, parameters, identifier)).code;
    expect(await usage([], 'ada')).toBe(2);
    expect(await usage([...byId, ...byEmail], 'ada')).toBe(2);
    expect(await usage(['--developer-id-stdin'], 'ada')).toBe(2);
    expect(await usage(['--org', 'acme', ...byEmail], address)).toBe(2);
    expect(await usage(byId, '\n')).toBe(2);
    expect(await usage(byId, 'ada\ngrace\n')).toBe(2);
    expect(await usage(byId, 'x'.repeat(5_000))).toBe(2);
    expect(await usage(byEmail, 'ada')).toBe(2);
    expect(await usage([...byEmail, address], address)).toBe(2);
  });
});

describe('two erasures at once', () => {
  it('both come to their end', async () => {
    await projectEverybody();
    await track(newEvent({ developer_id: 'grace' }));
    await stored(3 + others + 1);
    const runs = await Promise.all(
      ['ada', 'grace'].map((name) => runErase(service, [...byId, '--execute'], name)),
    );
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect(await count('from erasure where completed_at is not null')).toBe(2);
    await service.publish();
    await expectOnlyOthers();
  });
});

describe('a replay of the whole log after an erasure', () => {
  it('brings nothing back of the person, and everything of everybody else', async () => {
    await projectEverybody();
    const before = await storedKeys();
    await runErase(service, [...byId, '--execute'], 'ada');
    const left = await storedKeys();
    for (const { table } of personalTables([first_version]))
      await clickhouse.run(`TRUNCATE TABLE ${table}`);
    await replayFromTheBeginning(service.config);
    await service.publish();
    await expectOnlyOthers();
    expect(await storedKeys()).toEqual(left);
    expect(before.size).toBeGreaterThan(left.size);
  });

  it('keeps what the person sent after the erasure, as somebody new', async () => {
    await projectEverybody();
    const before = await storedKeys();
    await runErase(service, [...byId, '--execute'], 'ada');
    await track(newEvent({ developer_id: 'ada' }));
    await stored(others + 1);
    await service.publish();
    const after = await storedKeys();
    const fresh = [...after].filter((key) => !before.has(key));
    expect(fresh).toHaveLength(1);
    expect(after.size).toBe(others + 1);

    await replayFromTheBeginning(service.config);
    await service.publish();
    expect(await storedRows()).toBe(others + 1);
    expect(await storedKeys()).toEqual(after);
  });
});

describe('an erasure of somebody whose events are on their way', () => {
  it('drops what was accepted and not yet projected', async () => {
    await service.startClerk();
    await trackAda();
    await trackOthers();
    await eventually(
      () => readLogContents(service.config),
      ({ accepted }) => accepted.length === 3 + others,
    );
    expect((await runErase(service, [...byId, '--execute'], 'ada')).code).toBe(0);
    await service.startProjector();
    await stored(others);
    await replayFromTheBeginning(service.config);
    await expectOnlyOthers();
  });
});

describe('an erasure that is killed', () => {
  it.each([
    ['erasure_after_ledger', true],
    ['erasure_after_table', true],
    ['erasure_after_rows', false],
  ] as const)('at %s is finished by the next run', async (fault, rowsLeft) => {
    await projectEverybody();
    const killed = await runErase(service, [...byId, '--execute', '--by', 'Grace'], 'ada', fault);
    expect(killed.signal).toBe('SIGKILL');
    expect((await storedRows()) > others).toBe(rowsLeft);
    expect(await registered()).toBe(others);

    // While it is unfinished, nothing of hers gets in.
    await track(newEvent({ developer_id: 'ada' }), newEvent({ developer_id: 'last' }));
    await eventually(registered, (hashes) => hashes === others + 1);

    const plan = await runErase(service, [...byId, '--json'], 'ada');
    expect(jsonOf(plan)).toMatchObject({ executed: false, unfinished: 1 });
    const resumed = await runErase(service, [...byId, '--execute', '--json'], 'ada');
    expect(jsonOf(resumed)).toMatchObject({
      executed: true,
      erasures: [{ requestedBy: 'Grace', identities: 2 }],
    });
    expect(await count('from erasure where completed_at is null')).toBe(0);
    await stored(others + 1);
    expect(await registered()).toBe(others + 1);
    await service.publish();
    expect((await storedKeys()).size).toBe(others + 1);
  });
});
