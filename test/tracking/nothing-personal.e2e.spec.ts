import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase } from '#postgres/database.js';
import { topicSpecsFor } from '#contracts/topics.js';
import { createLogger } from '#runtime/logger.js';
import { eventually } from '../support/eventually.js';
import { readLogContents } from '../support/log-contents.js';
import { startSpecService, type SpecService } from '../support/service.js';

let service: SpecService;

beforeAll(async () => {
  service = await startSpecService();
  await service.startClerk();
  await service.startProjector();
});

afterAll(() => service.stop());

const email = 'ada.lovelace@private-person.example';
const developerId = 'developer-with-a-name-4711';
const userId = 'another-name-0815';

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

it('keeps no raw e-mail address, developer id or tracking key in any store', async () => {
  const { status, body } = await service.post('/api/usage/track', sent);
  expect({ status, tracked: body['tracked'] }).toEqual({ status: 200, tracked: true });
  const repeated = await service.post('/api/usage/track', sent);
  expect(repeated.body).toMatchObject({ duplicate: true });
  await eventually(
    () => readLogContents(service.config),
    ({ accepted }) => accepted.length === 1,
  );
  await eventually(storedRows, (rows) => rows.length > 0);

  const stores = { log: await logText(), postgres: await postgresText(), rows: await storedRows() };
  for (const [name, text] of Object.entries(stores)) {
    expect(text.length).toBeGreaterThan(0);
    for (const secret of [email, developerId, userId, service.organizationKey]) {
      const found = text.toLowerCase().includes(secret.toLowerCase());
      expect({ name, secret, found }).toEqual({ name, secret, found: false });
    }
  }
});

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

async function storedRows(): Promise<string> {
  const clickhouse = openClickhouse({ url: service.config.clickhouseUrl!, app: 'spec' });
  const rows = await clickhouse.rows<object>('SELECT * FROM usage_events_v1');
  await clickhouse.close();
  return rows.map((row) => JSON.stringify(row)).join('\n');
}
