import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClickHouseClient } from '@clickhouse/client';
import { Readable } from 'node:stream';
import { freshDatabase, quietClient } from '../testing/quiet-client.js';

const url = process.env['UPTAKE_TEST_CLICKHOUSE_URL']!;
let client: ClickHouseClient;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ client, drop } = await freshDatabase());
});

afterAll(() => drop());

async function count(table: string): Promise<number> {
  const answer = await client.query({ query: `SELECT count() AS n FROM ${table}`, format: 'JSON' });
  return Number((await answer.json<{ n: number }>()).data[0]?.n);
}

describe('inserts', () => {
  it('take 10 000 objects at once, compressed on the way', async () => {
    await client.command({
      query: 'CREATE TABLE objects (id UInt64, text String) ENGINE = MergeTree ORDER BY id',
    });
    const values = Array.from({ length: 10_000 }, (_, id) => ({ id, text: `row ${id}` }));
    const result = await client.insert({ table: 'objects', values, format: 'JSONEachRow' });
    expect(result.executed).toBe(true);
    expect(result.summary?.written_rows).toBe('10000');
    const answer = await client.query({
      query: 'SELECT count() AS n, uniqExact(id) AS ids, max(text) AS last FROM objects',
      format: 'JSONEachRow',
    });
    expect(await answer.json()).toEqual([{ n: 10_000, ids: 10_000, last: 'row 9999' }]);
  });

  it('take a stream of rows and a list of columns', async () => {
    await client.command({
      query: "CREATE TABLE streamed (id UInt64, text String DEFAULT 'none') ENGINE = Memory",
    });
    const values = Readable.from(Array.from({ length: 500 }, (_, id) => ({ id })));
    const columns: [string] = ['id'];
    await client.insert({ table: 'streamed', values, columns, format: 'JSONEachRow' });
    expect(await count('streamed')).toBe(500);
  });

  it('take settings in the text of the statement', async () => {
    await client.command({
      query: 'CREATE TABLE settled (id UInt64) ENGINE = MergeTree ORDER BY id',
    });
    await client.exec({
      query:
        'INSERT INTO settled SETTINGS async_insert = 0, ' +
        "deduplicate_insert = 'disable' FORMAT JSONCompactEachRow",
      values: Readable.from([Buffer.from('[1]\n[2]\n')]),
    });
    await client.command({ query: 'INSERT INTO settled SELECT number FROM numbers(3)' });
    expect(await count('settled')).toBe(5);
  });

  it('write nothing when one row is wrong', async () => {
    await client.command({
      query: 'CREATE TABLE strict (id UInt8) ENGINE = MergeTree ORDER BY id',
    });
    const values = [{ id: 1 }, { id: 'no number' }];
    const insert = client.insert({ table: 'strict', values, format: 'JSONEachRow' });
    await expect(insert).rejects.toMatchObject({ code: '27' });
    expect(await count('strict')).toBe(0);
  });
});

describe('tables', () => {
  it('exchange a partition in one step', async () => {
    const columns = '(day Date, n UInt64) ENGINE = MergeTree PARTITION BY day ORDER BY n';
    await client.command({ query: `CREATE TABLE days ${columns}` });
    await client.command({ query: `CREATE TABLE days_stage ${columns}` });
    await client.command({ query: "INSERT INTO days VALUES ('2026-01-01', 1), ('2026-01-02', 2)" });
    await client.command({ query: "INSERT INTO days_stage VALUES ('2026-01-01', 10)" });
    await client.command({
      query: "ALTER TABLE days REPLACE PARTITION '2026-01-01' FROM days_stage",
    });
    const answer = await client.query({
      query: 'SELECT toString(day) AS day, n FROM days ORDER BY day',
      format: 'JSONCompactEachRow',
    });
    expect(await answer.json()).toEqual([
      ['2026-01-01', 10],
      ['2026-01-02', 2],
    ]);
  });

  it('can be read while a long insert runs', async () => {
    await client.command({ query: 'CREATE TABLE busy (n UInt64) ENGINE = MergeTree ORDER BY n' });
    let written = false;
    const writing = client
      .command({ query: 'INSERT INTO busy SELECT sleepEachRow(0.1) + number FROM numbers(10)' })
      .then(() => (written = true));
    expect(await count('busy')).toBe(0);
    expect(written).toBe(false);
    await writing;
    expect(await count('busy')).toBe(10);
  });
});

describe('errors', () => {
  it.each([
    ['SELECT * FROM missing', '60', 'UNKNOWN_TABLE', 404],
    ['selec 1', '62', 'SYNTAX_ERROR', 400],
    ['SELECT missing', '47', 'UNKNOWN_IDENTIFIER', 404],
    ["SELECT throwIf(1, 'on purpose')", '395', 'FUNCTION_THROW_IF_VALUE_IS_NON_ZERO', 500],
  ])('of %s carry the number and the name of ClickHouse', async (query, code, type, status) => {
    const error: unknown = await client.command({ query }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, type });
    const response = await fetch(url.replace(/\/\/.*@/, '//'), {
      method: 'POST',
      body: query,
      headers: { Authorization: authorization() },
    });
    expect(response.status).toBe(status);
    expect(response.headers.get('x-clickhouse-exception-code')).toBe(code);
    expect(await response.text()).toContain(`Code: ${code}. DB::Exception: `);
  });

  it('of an unknown setting name it', async () => {
    const query = client.query({
      query: 'SELECT 1',
      clickhouse_settings: { no_such_setting: 1 },
    });
    await expect(query).rejects.toMatchObject({ code: '115', type: 'UNKNOWN_SETTING' });
    const next = await client.query({ query: 'SELECT 1', format: 'TabSeparated' });
    expect(await next.text()).toBe('1\n');
  });

  it('refuse whoever does not know the password, and answer pings of everybody', async () => {
    const stranger = quietClient(url.replace(/:[^:@]*@/, ':guess@'));
    await expect(stranger.command({ query: 'SELECT 1' })).rejects.toMatchObject({
      code: '516',
      type: 'AUTHENTICATION_FAILED',
    });
    expect(await stranger.ping()).toEqual({ success: true });
    expect((await client.ping({ select: true })).success).toBe(true);
    await stranger.close();
  });
});

function authorization(): string {
  const { username, password } = new URL(url);
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}
