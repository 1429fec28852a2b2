import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '#runtime/logger.js';
import { eventually } from '../contract/eventually.js';
import { LogUnavailableError, type LogRecord, type Subscription } from '../event-log.js';
import { FaultyLink } from '../testing/faulty-link.js';
import { EmbeddedEventLog } from './embedded-event-log.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

const text = (value: string) => ({ key: value, value: Buffer.from(value) });

describe('the embedded log over a link that breaks', () => {
  let database: TestDatabase;
  let direct: EmbeddedEventLog;
  let link: FaultyLink;
  let topic: string;
  const opened: EmbeddedEventLog[] = [];

  beforeAll(async () => {
    database = await createTestDatabase(process.env['UPTAKE_TEST_DATABASE_URL']!);
    direct = new EmbeddedEventLog({ databaseUrl: database.url });
    await direct.open();
  });
  beforeEach(async () => {
    topic = `broken.${randomUUID()}`;
    await direct.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }]);
    link = await FaultyLink.open(database.url);
  });
  afterEach(async () => {
    link.mode = 'pass';
    await Promise.all(opened.splice(0).map((log) => log.close()));
    await link.close();
  });
  afterAll(async () => {
    await direct.close();
    await database.drop();
  });

  async function openOverLink(
    limits: Partial<EmbeddedLogLimits> = {},
    logger = createLogger('spec', 'silent'),
  ): Promise<EmbeddedEventLog> {
    const log = new EmbeddedEventLog({
      databaseUrl: link.url,
      logger,
      limits: { pollMs: 100, retryMsMin: 20, ...limits },
    });
    await log.open();
    opened.push(log);
    return log;
  }

  async function stored(): Promise<string[]> {
    const texts: string[] = [];
    for await (const { records } of direct.read(topic)) {
      texts.push(...records.map(({ value }) => Buffer.from(value).toString()));
    }
    return texts;
  }

  async function collect(log: EmbeddedEventLog): Promise<{
    records: LogRecord[];
    subscription: Subscription;
  }> {
    const records: LogRecord[] = [];
    const subscription = await log.subscribe({
      group: randomUUID(),
      topics: [topic],
      handler: async (batch) => void records.push(...batch.records),
    });
    return { records, subscription };
  }

  it('repeats an append whose answer was lost, and the record is there once', async () => {
    const log = await openOverLink();
    await log.append(topic, [text('first')]);
    link.mode = 'swallow';
    const append = log.append(topic, [text('second')]);
    await eventually('the server has it', async () => (await stored()).includes('second'));
    link.mode = 'pass';
    link.cut();
    expect(await append).toEqual([{ partition: 0, offset: 1n }]);
    expect(await stored()).toEqual(['first', 'second']);
  });

  it('says that the outcome is unknown when the answer never comes', async () => {
    const log = await openOverLink({ appendDeadlineMs: 400, statementMs: 200 });
    await log.append(topic, [text('first')]);
    link.mode = 'swallow';
    await expect(log.append(topic, [text('second')])).rejects.toMatchObject({
      name: LogUnavailableError.name,
      outcomeUnknown: true,
    });
    await eventually('the server has it', async () => (await stored()).includes('second'));
  });

  it('says that nothing was stored when no connection came about, and recovers', async () => {
    const log = await openOverLink({ appendDeadlineMs: 400 });
    await log.append(topic, [text('first')]);
    link.mode = 'refuse';
    link.cut();
    await eventually('the cut is noticed', async () => !(await log.health()).up);
    await expect(log.append(topic, [text('second')])).rejects.toMatchObject({
      name: LogUnavailableError.name,
      outcomeUnknown: false,
    });
    link.mode = 'pass';
    await log.append(topic, [text('third')]);
    expect(await log.health()).toMatchObject({ up: true });
    expect(await stored()).toEqual(['first', 'third']);
  });

  it('tells the public that it is down, and the log where and why', async () => {
    let logged = '';
    const logger = createLogger('spec', 'warn', { write: (line) => void (logged += line) });
    const log = await openOverLink({}, logger);
    link.mode = 'refuse';
    link.cut();
    const down = { up: false, detail: 'PostgreSQL does not answer' };
    await eventually('the cut is noticed', async () => !(await log.health()).up);
    expect(await log.health()).toEqual(down);
    expect(logged).toMatch(/the event log does not answer/);
    expect(logged).toMatch(/ECONN|terminated|reset/);
  });

  it('stores a token once, also when two sessions bring it at the same time', async () => {
    const log = await openOverLink();
    await log.append(topic, [text('first')]);
    const bring = `select event_log.append($1, (select topic_id from event_log.topic
      where name = $2), '{0}', '{1}', '{1}', '\\x00') as bases`;
    const token = randomUUID();
    const answers = await Promise.all(
      [1, 2, 3].map(() => database.query<{ bases: string[] }>(bring, [token, topic])),
    );
    expect(answers.map(([row]) => row!.bases)).toEqual([['1'], ['1'], ['1']]);
    expect(await log.ranges(topic)).toEqual([{ partition: 0, low: 0n, high: 2n }]);
  });

  it('joins its group again after the connection was cut, and goes on', async () => {
    const log = await openOverLink();
    const { records } = await collect(log);
    await direct.append(topic, [text('before')]);
    await eventually('the first record is there', () => records.length === 1);
    link.cut();
    await direct.append(topic, [text('after')]);
    await eventually('the second record is there', () => records.at(-1)?.offset === 1n);
    // The first may come twice, when the cut took its commit along; nothing is left out.
    expect([...new Set(records.map(({ offset }) => offset))]).toEqual([0n, 1n]);
  });

  it('joins again after the server was silent for longer than a session lasts', async () => {
    const log = await openOverLink({ sessionTimeoutMs: 500, statementMs: 200 });
    const { records, subscription } = await collect(log);
    await eventually('it owns the partition', () => subscription.assignment().length === 1);
    link.mode = 'hang';
    await eventually('it gives the partition up', () => subscription.assignment().length === 0);
    link.mode = 'pass';
    link.cut();
    await direct.append(topic, [text('after')]);
    await eventually('the record is there', () => records.length === 1);
  });

  it('ends the subscription when the connection does not come back in time', async () => {
    const log = await openOverLink({ reconnectMs: 200 });
    const { subscription } = await collect(log);
    link.mode = 'refuse';
    link.cut();
    await expect(subscription.done).rejects.toThrow(LogUnavailableError);
    expect(subscription.assignment()).toEqual([]);
  });

  it('survives an operator who ends every session', async () => {
    const log = await openOverLink();
    const { records } = await collect(log);
    await log.append(topic, [text('before')]);
    await eventually('the first record is there', () => records.length === 1);
    await database.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`);
    await log.append(topic, [text('after')]);
    await eventually('the second record is there', () => records.at(-1)?.offset === 1n);
  });
});
