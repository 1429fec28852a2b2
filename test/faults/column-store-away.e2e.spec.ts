import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { startClickHouse } from '#embedded-engines/clickhouse/embedded-clickhouse.js';
import type { Engine } from '#embedded-engines/engine.js';
import { freePort } from '#embedded-engines/free-port.js';
import { eventually } from '../support/eventually.js';
import { first_version } from '../support/first-version.js';
import { startFaultyApp, type FaultyApp } from '../support/faulty-app.js';
import { readLogContents } from '../support/log-contents.js';
import { probe } from '../support/probe.js';
import { specEnvironment, startSpecService, type SpecService } from '../support/service.js';
import { idsOf, newEvent } from '../support/tracking-events.js';

const start_ms_max = 120_000;

let folder: string;
let engine: Engine;
let service: SpecService;
let projector: FaultyApp;
let probes: string;

const startEngine = (port?: number) =>
  startClickHouse({ directory: folder, log: () => undefined, ...(port !== undefined && { port }) });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptake-column-store-'));
  engine = await startEngine();
  service = await startSpecService({ CLICKHOUSE_URL: engine.url });
  await service.startClerk();
  const port = String(await freePort());
  probes = `http://127.0.0.1:${port}`;
  const stores = { databaseUrl: service.config.databaseUrl!, clickhouseUrl: engine.url };
  const environment = { ...specEnvironment(stores), PROBE_PORT: port };
  projector = await startFaultyApp('projector', environment);
}, start_ms_max);

afterEach(async () => {
  await projector.kill('SIGKILL');
  await service.stop();
  await engine.stop();
  await rm(folder, { recursive: true, force: true });
}, start_ms_max);

/** Sends a batch, which has to be answered 200, and gives the ids of its events. */
async function track(count: number): Promise<readonly string[]> {
  const events = Array.from({ length: count }, () => newEvent());
  const { status, body } = await service.post('/api/usage/track/batch', { events });
  expect(status).toBe(200);
  return idsOf(body);
}

async function storedIds(): Promise<readonly string[]> {
  const clickhouse = openClickhouse({ url: engine.url, app: 'spec' });
  try {
    const rows = await clickhouse.rows<{ id: string }>(
      'SELECT toString(event_id) AS id FROM usage_events_v1 FINAL',
    );
    return rows.map(({ id }) => id).sort();
  } finally {
    await clickhouse.close();
  }
}

/** The projector's own figure of the records that it has not finished. */
function lagIn(metrics: string): number {
  const line = new RegExp(
    `^uptake_consumer_lag_records\\{group="${first_version.group}".*\\} (\\d+)$`,
  );
  return metrics
    .split('\n')
    .map((text) => Number(line.exec(text)?.[1] ?? 0))
    .reduce((sum, lag) => sum + lag, 0);
}

const lags = (records: number) =>
  eventually(
    () => probe(probes),
    ({ metrics }) => lagIn(metrics) >= records,
  );

describe('a ClickHouse that is away', () => {
  it.each([
    ['killed', 'SIGKILL'],
    ['frozen', 'SIGSTOP'],
  ] as const)(
    'for having been %s: ingestion goes on, the lag grows, and the projector catches up',
    async (_how, signal) => {
      const ids = [...(await track(20))];
      await eventually(storedIds, (stored) => stored.length === ids.length);
      process.kill(engine.pid, signal);
      ids.push(...(await track(30)));
      const { status, report } = await lags(30);
      expect(status).toBe(503);
      expect(report.checks).toMatchObject({ clickhouse: { up: false }, event_log: { up: true } });
      ids.push(...(await track(40)));
      await lags(70);

      if (signal === 'SIGSTOP') process.kill(engine.pid, 'SIGCONT');
      else engine = await startEngine(engine.port);
      const caughtUp = await eventually(
        () => probe(probes),
        (seen) => seen.status === 200 && lagIn(seen.metrics) === 0,
      );
      expect(caughtUp.report.ready).toBe(true);
      expect(await storedIds()).toEqual(ids.sort());
      expect((await readLogContents(service.config)).quarantined).toEqual([]);
    },
    start_ms_max,
  );
});
