import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { EmbeddedEventLog } from './embedded-event-log.js';
import { ensureSchema } from './schema.js';
import { toStoredFrame } from './stored-frame.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

const topic = 'older.v1';
const hour_ms = 3_600_000;

describe('a log whose schema an older version made', () => {
  let database: TestDatabase;
  let older: Pool;
  let log: EmbeddedEventLog;
  const token = randomUUID();

  beforeEach(async () => {
    database = await createTestDatabase(process.env['UPTAKE_TEST_DATABASE_URL']!);
    older = new Pool({ connectionString: database.url });
    await ensureSchema(older, 1);
    await older.query(
      `insert into event_log.topic (name, partitions, retention_ms) values ($1, 1, $2)`,
      [topic, 2 * hour_ms],
    );
    await older.query('insert into event_log.partition (topic_id, partition) values (1, 0)');
    for (const value of ['first', 'second']) await appendAsBefore(value, randomUUID());
    expect(await appendAsBefore('third', token)).toBe(2);
    await older.query(
      `update event_log.batch
       set appended_at = appended_at - (2 - base_offset) * interval '50 minutes'`,
    );
    await older.query(`insert into event_log.group_topic (group_name, topic_id) values ('g', 1)`);
    await older.query('insert into event_log.committed values (1, 0, 1, 1)');
    log = new EmbeddedEventLog({ databaseUrl: database.url });
    await log.open();
  });
  afterEach(async () => {
    await log.close();
    await older.end();
    await database.drop();
  });

  /** What a process of the version before does for one record. */
  async function appendAsBefore(value: string, bearing: string): Promise<number> {
    const frame = await toStoredFrame([{ key: 'k', value: Buffer.from(value) }]);
    const { rows } = await older.query<{ bases: string[] }>(
      'select event_log.append($1, 1, $2, $3, $4, $5) as bases',
      [bearing, [0], [1], [frame.length], frame],
    );
    return Number(rows[0]!.bases[0]);
  }

  async function read(): Promise<string[]> {
    const values: string[] = [];
    for await (const { records } of log.read(topic)) {
      values.push(...records.map(({ value }) => Buffer.from(value).toString()));
    }
    return values;
  }

  it('keeps its records, groups, and remembered appends', async () => {
    expect(await read()).toEqual(['first', 'second', 'third']);
    expect([...(await log.committed('g', topic))]).toEqual([[0, 1n]]);
    expect(await appendAsBefore('third', token)).toBe(2);
    expect(await read()).toHaveLength(3);
  });

  it('takes records of both versions while they run beside each other', async () => {
    expect(await log.append(topic, [{ key: 'k', value: Buffer.from('new') }])).toEqual([
      { partition: 0, offset: 3n },
    ]);
    expect(await appendAsBefore('old', randomUUID())).toBe(4);
    await log.append(topic, [{ key: 'k', value: Buffer.from('newer') }]);
    expect(await read()).toEqual(['first', 'second', 'third', 'new', 'old', 'newer']);
  });

  it('finds its records by time, and ends their keeping by time', async () => {
    const at = async (minutesAgo: number) =>
      (await log.offsetsAt(topic, new Date(Date.now() - minutesAgo * 60_000))).get(0);
    expect([await at(120), await at(75), await at(25), await at(-1)]).toEqual([0n, 1n, 2n, 3n]);
    await log.ensureTopics([{ name: topic, partitions: 1, retentionMs: hour_ms }]);
    await log.applyRetention();
    expect(await read()).toEqual(['second', 'third']);
    expect(await at(120)).toBe(1n);
  });

  it('is searched by time to what is left when a row is missing', async () => {
    await older.query('delete from event_log.batch where base_offset = 1');
    expect((await log.offsetsAt(topic, new Date(Date.now() - 25 * 60_000))).get(0)).toBe(2n);
    await log.applyRetention();
    expect((await log.ranges(topic))[0]!.low).toBe(0n);
  });
});
