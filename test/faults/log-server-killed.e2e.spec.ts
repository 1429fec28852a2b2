import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { eventIdOf } from '#domain/usage/event-id.js';
import { openDatabase } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { loadConfig } from '#runtime/load-config.js';
import { checkAnswers } from '../chaos/check-history.js';
import { History } from '../chaos/history.js';
import { Load } from '../chaos/load.js';
import { RequestPlan } from '../chaos/request-plan.js';
import { eventually } from '../support/eventually.js';
import { startFaultyApp, type FaultyApp } from '../support/faulty-app.js';
import { readLogContents } from '../support/log-contents.js';
import { SeededRandom } from '../support/seeded-random.js';
import { registerVendor, specEnvironment } from '../support/service.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';
import { startLogServer, type LogServer } from './log-server.js';

const start_ms_max = 180_000;
const clients = 8;
const keys_max = 100_000;
const before_kill_ms = 1_500;
const away_ms = 3_000;
const after_recovery_ms = 2_000;
const catch_up_ms_max = 60_000;

let folder: string;
let stores: SpecStores;
let server: LogServer;
let clickhouse: Clickhouse;
let environment: Record<string, string>;
let organizationId: string;
let trackingKey: string;
let apps: readonly FaultyApp[] = [];
let baseUrl: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'uptake-log-server-'));
  stores = await createSpecStores();
  server = await startLogServer(folder, stores.databaseUrl);
  const { databaseUrl } = server;
  const { clickhouseUrl } = stores;
  clickhouse = openClickhouse({ url: clickhouseUrl, app: 'spec' });
  environment = { ...specEnvironment({ databaseUrl, clickhouseUrl }), ...server.settings };
  const database = await openDatabase({ url: databaseUrl, app: 'spec' });
  ({ organizationId, organizationKey: trackingKey } = await registerVendor(
    new DirectoryStore(database),
  ));
  await database.destroy();
  const api = await startFaultyApp('api', environment);
  const clerk = await startFaultyApp('ingest-worker', environment);
  apps = [api, clerk, await startFaultyApp('projector', environment)];
  baseUrl = api.baseUrl;
}, start_ms_max);

afterAll(async () => {
  await Promise.all(apps.map((app) => app.kill('SIGTERM')));
  await clickhouse.close();
  await server.stop();
  await stores.drop();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}, start_ms_max);

const idOf = (key: string) => eventIdOf(organizationId, key);

async function readiness(): Promise<number> {
  const answer = await fetch(`${baseUrl}/readyz`);
  await answer.text();
  return answer.status;
}

/** How many of the events have no row yet. */
async function missing(eventIds: readonly string[]): Promise<number> {
  const rows = await clickhouse.rows<{ id: string }>(
    'SELECT toString(event_id) AS id FROM usage_events_v1 FINAL',
  );
  const stored = new Set(rows.map(({ id }) => id));
  return eventIds.filter((id) => !stored.has(id)).length;
}

/** Clients send while the server of the log is killed, away, back, and ready again. */
async function loadWhileAway(): Promise<{ readonly history: History; readonly back: number }> {
  const history = new History();
  const plan = new RequestPlan('away-', keys_max, new SeededRandom(1));
  const load = new Load({ to: { baseUrl, trackingKey }, plan, history, clients });
  load.start();
  try {
    await pause(before_kill_ms);
    await server.kill();
    const restarted = pause(away_ms).then(() => server.start());
    expect(await eventually(readiness, (status) => status !== 200, away_ms)).toBe(503);
    await restarted;
    await eventually(readiness, (status) => status === 200);
    const back = history.attempts().length;
    await pause(after_recovery_ms);
    return { history, back };
  } finally {
    await load.stop();
  }
}

describe('a log whose server is killed under load and is back after 3 s', () => {
  it(
    'has every request answered in time, loses nothing acknowledged, and goes on by itself',
    async () => {
      const { history, back } = await loadWhileAway();
      // Each within 6 s: a definite answer, or 503 with Retry-After.
      expect(checkAnswers(history.takeFresh(), history, idOf)).toEqual([]);
      const outcomes = history.attempts().map(({ outcome }) => outcome.kind);
      expect(outcomes).toContain('uncertain');
      expect(outcomes.slice(back)).toContain('tracked');

      const acknowledged = [...history.records()]
        .filter(([, record]) => record.acknowledged.size > 0)
        .map(([key]) => idOf(key));
      await eventually(
        () => missing(acknowledged),
        (events) => events === 0,
        catch_up_ms_max,
      );
      const { quarantined } = await readLogContents(loadConfig(environment));
      expect(quarantined.filter(({ reason }) => reason !== 'superseded')).toEqual([]);
    },
    start_ms_max,
  );
});
