import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import type { LogRecord } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase } from '#postgres/database.js';
import { topicSpecsFor, usageReceivedTopic } from '#contracts/topics.js';
import { createLogger } from '#runtime/logger.js';
import { eventually } from '../support/eventually.js';
import { startFaultyApp, type FaultyApp } from '../support/faulty-app.js';
import { readLogContents } from '../support/log-contents.js';
import { post, specEnvironment, startSpecService, type SpecService } from '../support/service.js';

const email = 'ada.lovelace@private-person.example';
const developerId = 'developer-with-a-name-4711';
const userId = 'another-name-0815';

let service: SpecService;
/** Key of an organization that is no longer there when its events are judged. */
let lostKey: string;
const apps = new Map<'api' | 'ingest-worker' | 'projector', FaultyApp>();

/** Starts an app as a process of its own that logs all it ever logs. */
async function start(app: 'api' | 'ingest-worker' | 'projector'): Promise<void> {
  const { databaseUrl, clickhouseUrl } = service.config;
  const stores = { databaseUrl: databaseUrl!, clickhouseUrl: clickhouseUrl! };
  const environment = { ...specEnvironment(stores), LOG_LEVEL: 'trace', BATCH_THREADS: '1' };
  apps.set(app, await startFaultyApp(app, environment));
}

beforeAll(async () => {
  service = await startSpecService();
  const organizationId = await service.directory.createOrganization({ slug: 'lost', name: 'Lost' });
  const issued = await service.directory.issueTrackingKey({ organizationId, productId: null });
  lostKey = issued.trackingKey;
  await start('api');
});

afterAll(async () => {
  await Promise.all([...apps.values()].map((app) => app.kill('SIGKILL')));
  await service.stop();
});

/** The identifiers at every place where a careless sender might repeat them. */
const sent = {
  event_name: 'API_CALL',
  developer_id: developerId,
  userId,
  email: email.toUpperCase(),
  product: { id: 'code-search' },
  idempotencyKey: `${developerId}/${email}/1`,
  metadata: { who: email, url: `https://app.example/u/${developerId}?mail=${email}` },
  workflow: { id: userId, owner: { email } },
  note: `sent by ${developerId}`,
};

const track = (body: unknown, key: string, path = '/api/usage/track') =>
  post(apps.get('api')!.baseUrl + path, body, key);

/** Requests that are refused in every way, each with the identifiers in it. */
async function sendRefused(): Promise<void> {
  const broken = JSON.stringify(sent).slice(0, -1);
  const batch = '/api/usage/track/batch';
  const hostile = [
    await track({ ...sent, latency_ms: 1 }, service.organizationKey),
    await track({ ...sent, event_name: email }, service.organizationKey),
    await track({ ...sent, metadata: { prompt: `I am ${email}` } }, service.organizationKey),
    await track(broken, service.organizationKey),
    await track(sent, `${service.organizationKey}x`),
    await track({ events: [{ ...sent, email: 7 }] }, service.organizationKey, batch),
  ];
  expect(hostile.map(({ status }) => status)).toEqual([409, 400, 400, 400, 401, 400]);
  // A query and headers may name somebody, too.
  const headers = { traceparent: email, 'user-agent': userId, referer: developerId };
  await fetch(`${apps.get('api')!.baseUrl}/api/v1/adoption?tool=${email}`, { headers });
}

/** One event that was accepted, and two records that the clerk sets aside. */
async function sendAndJudge(): Promise<void> {
  const { status, body } = await track(sent, service.organizationKey);
  expect({ status, tracked: body['tracked'] }).toEqual({ status: 200, tracked: true });
  const repeated = await track(sent, service.organizationKey);
  expect(repeated.body).toMatchObject({ duplicate: true });
  expect((await track(sent, lostKey)).body).toMatchObject({ tracked: true });
  await loseOrganization();
  await breakOneRecord();
  await start('ingest-worker');
  await start('projector');
  await eventually(
    () => readLogContents(service.config),
    ({ accepted, quarantined }) => accepted.length === 1 && quarantined.length === 2,
  );
  await eventually(storedRows, (rows) => rows.includes('"event_name":"API_CALL"'));
  await service.publish();
}

it('keeps no raw e-mail address, developer id or tracking key in any store or log', async () => {
  await sendAndJudge();
  await sendRefused();
  const stores = { log: await logText(), postgres: await postgresText(), rows: await storedRows() };
  expect(stores.log).toContain('unknown_organization');
  expect(stores.log).toContain('undecodable');
  await Promise.all([...apps.values()].map((app) => app.kill('SIGTERM')));
  const outputs = [...apps].map(([name, app]) => [`output of ${name}`, app.output()] as const);
  for (const [name, text] of [...Object.entries(stores), ...outputs]) {
    expect({ name, empty: text.length === 0 }).toEqual({ name, empty: false });
    for (const secret of [email, developerId, userId, service.organizationKey, lostKey]) {
      const found = text.toLowerCase().includes(secret.toLowerCase());
      expect({ name, secret, found }).toEqual({ name, secret, found: false });
    }
  }
});

async function loseOrganization(): Promise<void> {
  const database = await openDatabase({ url: service.config.databaseUrl!, app: 'spec' });
  await database.query(
    `delete from tracking_key where organization_id = (
       select id from organization where slug = 'lost')`,
  );
  await database.query(`delete from organization where slug = 'lost'`);
  await database.destroy();
}

/** Appends a record as the door wrote it, cut in the middle: nobody can read it. */
async function breakOneRecord(): Promise<void> {
  const log = await openEventLog(service.config, createLogger('spec', 'silent'));
  const topic = usageReceivedTopic.name;
  for await (const { records } of log.read(topic)) {
    const [{ key, value, headers }] = records as readonly [LogRecord];
    await log.append(topic, [{ key, value: value.slice(0, value.length / 2), headers }]);
    break;
  }
  await log.close();
}

/** Every record of every topic, decompressed, headers included. */
async function logText(): Promise<string> {
  const log = await openEventLog(service.config, createLogger('spec', 'silent'));
  let text = '';
  for (const { name } of topicSpecsFor(log.driver)) {
    for await (const { records } of log.read(name)) {
      for (const { key, value, headers } of records) {
        text += `${key} ${Buffer.from(value).toString('utf8')} ${JSON.stringify(headers)}\n`;
      }
    }
  }
  await log.close();
  return text;
}

/** Every row of every table of ours, as text. */
async function postgresText(): Promise<string> {
  const database = await openDatabase({ url: service.config.databaseUrl!, app: 'spec' });
  const tables = await database.query<{ name: string }[]>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema')`,
  );
  let text = '';
  for (const { name } of tables) {
    const rows = await database.query<{ row: string }[]>(`select t::text as row from ${name} t`);
    text += rows.map(({ row }) => row).join('\n');
  }
  await database.destroy();
  return text;
}

/** Every row of every table of the column store. */
async function storedRows(): Promise<string> {
  const clickhouse = openClickhouse({ url: service.config.clickhouseUrl!, app: 'spec' });
  const tables = await clickhouse.rows<{ name: string }>(
    'SELECT name FROM system.tables WHERE database = currentDatabase()',
  );
  let text = '';
  for (const { name } of tables) {
    const rows = await clickhouse.rows<object>(`SELECT * FROM ${name}`);
    text += rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
  await clickhouse.close();
  return text;
}
