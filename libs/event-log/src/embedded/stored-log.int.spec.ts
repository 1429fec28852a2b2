import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../contract/eventually.js';
import { EmbeddedEventLog } from './embedded-event-log.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';
import { CorruptFrameError } from './frame-codec.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

const records = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    key: String(number),
    value: Buffer.from(`value ${number}`),
  }));

describe('what the embedded log keeps in PostgreSQL', () => {
  let database: TestDatabase;
  let topic: string;
  const opened: EmbeddedEventLog[] = [];

  async function open(limits: Partial<EmbeddedLogLimits> = {}): Promise<EmbeddedEventLog> {
    const log = new EmbeddedEventLog({ databaseUrl: database.url, limits });
    opened.push(log);
    await log.open();
    return log;
  }

  /** Appends `rows` times two records, which makes as many rows of two records. */
  async function fill(log: EmbeddedEventLog, rows: number, retentionMs = 3_600_000): Promise<void> {
    await log.ensureTopics([{ name: topic, partitions: 1, retentionMs }]);
    for (let row = 0; row < rows; row += 1) await log.append(topic, records(2));
  }

  async function count(table: string): Promise<number> {
    const [row] = await database.query<{ count: string }>(
      `select count(*) from event_log.${table}`,
    );
    return Number(row!.count);
  }

  async function readAll(log: EmbeddedEventLog): Promise<number> {
    let read = 0;
    for await (const batch of log.read(topic)) read += batch.records.length;
    return read;
  }

  beforeAll(async () => {
    database = await createTestDatabase(process.env['UPTAKE_TEST_DATABASE_URL']!);
  });
  beforeEach(() => {
    topic = `stored.${randomUUID()}`;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((log) => log.close()));
    await database.query('truncate event_log.batch, event_log.append_token');
  });
  afterAll(() => database.drop());

  it('has one schema, however many processes open it at the same moment', async () => {
    const logs = await Promise.all([open(), open(), open(), open()]);
    await fill(logs[0], 1);
    expect(await readAll(logs[3])).toBe(2);
  });

  it('is one row per append and partition', async () => {
    const log = await open();
    await fill(log, 3);
    expect(await count('batch')).toBe(3);
  });

  it('is removed, rows and remembered appends alike, by retention on its timer', async () => {
    const log = await open({ retentionIntervalMs: 50, tokenKeptMs: 1 });
    await fill(log, 3, 1);
    await database.query(
      `insert into event_log.append_token values (gen_random_uuid(), '{0}', clock_timestamp())`,
    );
    await eventually('the low end has moved', async () => (await log.ranges(topic))[0]!.low === 6n);
    await eventually('the rows are gone', async () => (await count('batch')) === 0);
    await eventually('the tokens are gone', async () => (await count('append_token')) === 0);
  });

  it('keeps a row that retention hides for as long as its append may be repeated', async () => {
    const log = await open({ retentionIntervalMs: 50, tokenKeptMs: 3_600_000 });
    await fill(log, 3, 1);
    await eventually('the low end has moved', async () => (await log.ranges(topic))[0]!.low === 6n);
    await log.applyRetention();
    expect(await count('batch')).toBe(3);
  });

  it('stops a reader and a group loudly when a row is missing', async () => {
    const log = await open();
    await fill(log, 3);
    await database.query(
      `delete from event_log.batch where base_offset = 2 and topic_id =
        (select topic_id from event_log.topic where name = $1)`,
      [topic],
    );
    await expect(readAll(log)).rejects.toThrow(CorruptFrameError);
    const delivered: bigint[] = [];
    const subscription = await log.subscribe({
      group: 'g',
      topics: [topic],
      handler: async (batch) => void delivered.push(...batch.records.map(({ offset }) => offset)),
    });
    await expect(subscription.done).rejects.toThrow(CorruptFrameError);
    expect(delivered).not.toContain(4n);
  });

  it('stops a reader loudly when a row is damaged', async () => {
    const log = await open();
    await fill(log, 1);
    await database.query(
      `update event_log.batch set payload = set_byte(payload, 9, get_byte(payload, 9) # 255)`,
    );
    await expect(readAll(log)).rejects.toThrow(CorruptFrameError);
  });

  it('is split into several rows when one append is larger than a frame may be', async () => {
    const log = await open({ frameRecordsMax: 3 });
    await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: 3_600_000 }]);
    const acks = await log.append(topic, records(8));
    expect(acks.map(({ offset }) => Number(offset))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(await count('batch')).toBe(3);
    expect(await readAll(log)).toBe(8);
  });
});
