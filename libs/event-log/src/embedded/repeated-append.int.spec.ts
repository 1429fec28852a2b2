import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { eventually } from '../contract/eventually.js';
import { EmbeddedEventLog } from './embedded-event-log.js';
import { createTestDatabase, type TestDatabase } from './test-database.js';

const first_try = null;
const repeat = '15 minutes';

describe('an append that is tried again', () => {
  let database: TestDatabase;
  let log: EmbeddedEventLog;
  let earlier: Client;
  let later: Client;
  let topicId: number;
  let topic: string;
  let token: string;

  beforeAll(async () => {
    database = await createTestDatabase(process.env['UPTAKE_TEST_DATABASE_URL']!);
    log = new EmbeddedEventLog({ databaseUrl: database.url });
    await log.open();
    [earlier, later] = await Promise.all([connect(), connect()]);
  });
  beforeEach(async () => {
    topic = `repeated.${randomUUID()}`;
    token = randomUUID();
    await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 3_600_000 }]);
    const [row] = await database.query<{ topic_id: number }>(
      'select topic_id from event_log.topic where name = $1',
      [topic],
    );
    topicId = row!.topic_id;
  });
  afterAll(async () => {
    await Promise.all([earlier.end(), later.end(), log.close()]);
    await database.drop();
  });

  async function connect(): Promise<Client> {
    const client = new Client({ connectionString: database.url });
    await client.connect();
    return client;
  }

  /** Brings three frames of 1, 2 and 3 records, the last two for one partition. */
  async function bring(
    client: Client,
    lookBack: string | null,
    bearing = token,
  ): Promise<readonly number[]> {
    const { rows } = await client.query<{ bases: string[] }>(
      `select event_log.append_frames($1, $2, $3, '{0,1,1}', '{1,2,3}', '{1,1,1}', '\\x000000')
         as bases`,
      [bearing, lookBack, topicId],
    );
    return rows[0]!.bases.map(Number);
  }

  async function waiting(client: Client): Promise<void> {
    const pid = (client as unknown as { processID: number }).processID;
    await eventually('it waits for a lock', async () => {
      const rows = await database.query(
        `select 1 from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'`,
        [pid],
      );
      return rows.length === 1;
    });
  }

  async function highs(): Promise<readonly number[]> {
    return (await log.ranges(topic)).map(({ high }) => Number(high));
  }

  it('looks at nothing but what was appended lately', async () => {
    await bring(earlier, first_try, randomUUID());
    await database.query(
      `insert into event_log.batch
         (topic_id, partition, base_offset, last_offset, appended_at, payload, token)
       select $1, 1, -n, -n, clock_timestamp() - interval '1 day', '', gen_random_uuid()
       from generate_series(1, 20000) as n`,
      [topicId],
    );
    await database.query('analyze event_log.batch');
    const bases = await bring(earlier, first_try);
    await later.query('begin');
    expect(await bring(later, '1 minute')).toEqual(bases);
    const { rows } = await later.query<{ read: string }>(
      `select pg_stat_get_xact_tuples_returned('event_log.batch'::regclass)
         + pg_stat_get_xact_tuples_returned('event_log.batch_pkey'::regclass) as read`,
    );
    await later.query('commit');
    expect(Number(rows[0]!.read)).toBeLessThan(100);
  });

  it('is found where the earlier try stored it', async () => {
    await bring(earlier, first_try, randomUUID());
    const bases = await bring(earlier, first_try);
    await bring(earlier, first_try, randomUUID());
    expect(bases).toEqual([1, 5, 7]);
    expect(await bring(later, repeat)).toEqual(bases);
    expect(await highs()).toEqual([3, 15]);
  });

  it('waits for an earlier try that still runs, and finds what that stored', async () => {
    await earlier.query('begin');
    const bases = await bring(earlier, first_try);
    const found = bring(later, repeat);
    await waiting(later);
    await earlier.query('commit');
    expect(await found).toEqual(bases);
    expect(await highs()).toEqual([1, 5]);
  });

  it('is stored when the earlier try stored nothing, and found by the next one', async () => {
    await earlier.query('begin');
    await bring(earlier, first_try);
    const stored = bring(later, repeat);
    await waiting(later);
    await earlier.query('rollback');
    expect(await stored).toEqual([0, 0, 2]);
    expect(await bring(later, repeat)).toEqual([0, 0, 2]);
    expect(await highs()).toEqual([1, 5]);
  });

  it('is not stored again by an earlier try that comes to its locks only afterwards', async () => {
    await later.query('begin');
    await bring(later, repeat);
    const tooLate = bring(earlier, first_try);
    tooLate.catch(() => undefined);
    await waiting(earlier);
    await later.query('commit');
    await expect(tooLate).rejects.toThrow(/was repeated/);
    expect(await highs()).toEqual([1, 5]);
  });

  it('is found although retention has hidden it meanwhile', async () => {
    const bases = await bring(earlier, first_try);
    await log.ensureTopics([{ name: topic, partitions: 2, retentionMs: 1 }]);
    await eventually('the low ends have moved', async () => {
      await log.applyRetention();
      return (await log.ranges(topic)).every(({ low, high }) => low === high);
    });
    expect(await bring(later, repeat)).toEqual(bases);
  });
});
