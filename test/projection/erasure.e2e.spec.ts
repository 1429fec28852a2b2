import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { adoptionVersion } from '#read-models/adoption-version/adoption-version.js';
import { personalTables } from '#read-models/personal/personal-tables.js';
import { runErase } from '../privacy-stores/erase-run.js';
import { eventually } from '../support/eventually.js';
import { first_version } from '../support/first-version.js';
import { startSpecService, type SpecService } from '../support/service.js';
import { newEvent } from '../support/tracking-events.js';
import { runProjection } from './ops-process.js';

const second = adoptionVersion(2);
const version = ['adoption', '--version', '2'];
const others = 8;
/** Enough that some are in whatever part of the log is read first. */
const adas = 24;
let service: SpecService;
let clickhouse: Clickhouse;

beforeEach(async () => {
  service = await startSpecService({ BATCH_THREADS: '0' });
  clickhouse = openClickhouse({ url: service.config.clickhouseUrl!, app: 'spec' });
  await service.startClerk();
  await service.startProjector();
  const ada = Array.from({ length: adas }, () => newEvent({ developer_id: 'ada' }));
  const events = [...ada, ...Array.from({ length: others }, () => newEvent())];
  const { status } = await service.post('/api/usage/track/batch', { events });
  expect(status).toBe(200);
  await eventually(
    () => rowsOf(first_version.tables.usage_events),
    (rows) => rows === events.length,
  );
  await service.publish();
});
afterEach(async () => {
  await clickhouse.close();
  await service.stop();
});

async function rowsOf(table: string): Promise<number> {
  const [row] = await clickhouse.rows<{ count: number }>(
    `SELECT toUInt32(count()) AS count FROM ${table}`,
  );
  return row!.count;
}

/** Distinct keys of developers in every table of both versions. */
async function storedKeys(): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for (const { table, devKeyColumn } of personalTables([first_version, second])) {
    const rows = await clickhouse.rows<{ key: string }>(
      `SELECT DISTINCT toString(${devKeyColumn}) AS key FROM ${table}`,
    );
    for (const { key } of rows) keys.add(key);
  }
  return keys;
}

const build = () => runProjection(service.config, ['build', ...version, '--execute']);
const eraseAda = () =>
  runErase(service, ['--org', 'acme', '--developer-id-stdin', '--execute', '--json'], 'ada');

async function expectOnlyOthers(): Promise<void> {
  const verified = await runProjection(service.config, ['verify', ...version]);
  expect(verified).toMatchObject({ code: 0, json: { passed: true, events: others } });
  const cut = await runProjection(service.config, ['cutover', ...version, '--execute']);
  expect(cut).toMatchObject({ code: 0, err: '' });
  await service.publish();
  expect((await storedKeys()).size).toBe(others);
}

describe('an erasure', () => {
  it('between a build and its cut-over leaves no row in any version', async () => {
    expect(await build()).toMatchObject({ code: 0, err: '' });
    expect((await storedKeys()).size).toBe(others + 1);
    const erased = await eraseAda();
    expect(erased.code).toBe(0);
    expect(JSON.parse(erased.out)).toMatchObject({
      erasures: [{ rows: { usage_events_v1: adas, usage_events_v2: adas } }],
    });
    expect((await storedKeys()).size).toBe(others);
    await expectOnlyOthers();
  });

  it('while a killed build waits to be gone on with leaves none either', async () => {
    const command = ['build', ...version, '--execute'];
    const killed = await runProjection(service.config, command, 'rebuild_after_step');
    expect(killed.signal).toBe('SIGKILL');
    expect((await eraseAda()).code).toBe(0);
    expect(await build()).toMatchObject({ code: 0, json: { resumed: true } });
    await expectOnlyOthers();
  });
});
