import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ClickHouseClient } from '@clickhouse/client';
import { freshDatabase } from '../testing/quiet-client.js';

let client: ClickHouseClient;
let drop: () => Promise<void>;

beforeAll(async () => {
  ({ client, drop } = await freshDatabase());
});

afterAll(() => drop());

describe('values through the official client', () => {
  it('come back as they were written, whatever their type', async () => {
    await client.command({
      query: `CREATE TABLE every_type (
        big UInt64, at DateTime64(3, 'UTC'), family Enum8('view' = 1, 'use' = 2),
        name LowCardinality(String), maybe Nullable(Float64), tags Array(String),
        counts Map(String, UInt32), day Date, id UUID, price Decimal(18, 4)
      ) ENGINE = MergeTree ORDER BY big`,
    });
    const row = {
      big: '18446744073709551615',
      at: '2026-02-03 04:05:06.789',
      family: 'use',
      name: "tab\t, quote ', backslash \\, newline \n, ünïcödé 🛠",
      maybe: null,
      tags: ["it's", 'a\\b', ''],
      counts: { one: 1, two: 2 },
      day: '2026-02-03',
      id: '0190a3d4-5678-7abc-8def-0123456789ab',
      price: 12.3456,
    };
    await client.insert({ table: 'every_type', values: [row], format: 'JSONEachRow' });
    const answer = await client.query({
      query: 'SELECT * FROM every_type',
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
    });
    expect(await answer.json()).toEqual([row]);
  });

  it('are quoted for one request only when the request asks for it', async () => {
    const query = 'SELECT toUInt64(7) AS seven';
    const quoted = { output_format_json_quote_64bit_integers: 1 } as const;
    for (const attempt of [1, 2, 3]) {
      const asText = await client.query({ query, format: 'JSON', clickhouse_settings: quoted });
      expect([attempt, (await asText.json()).data]).toEqual([attempt, [{ seven: '7' }]]);
      const asNumber = await client.query({ query, format: 'JSON' });
      expect([attempt, (await asNumber.json()).data]).toEqual([attempt, [{ seven: 7 }]]);
    }
  });

  it('come in every format that is asked for', async () => {
    const query = "SELECT n, if(n = 1, 'x', 'y') AS s FROM (SELECT arrayJoin([1, 2]) AS n)";
    const compact = await client.query({ query, format: 'JSONCompactEachRow' });
    expect(await compact.json()).toEqual([
      [1, 'x'],
      [2, 'y'],
    ]);
    const whole = await client.query({ query, format: 'JSON' });
    expect(await whole.json()).toMatchObject({ rows: 2, data: [{ n: 1 }, { n: 2 }] });
    const tabbed = await client.query({ query, format: 'TabSeparated' });
    expect(await tabbed.text()).toBe('1\tx\n2\ty\n');
    const plain = await client.exec({ query });
    const chunks = await plain.stream.toArray();
    expect(Buffer.concat(chunks as Buffer[]).toString()).toBe('1\tx\n2\ty\n');
  });
});

describe('bound parameters', () => {
  it('are never read as SQL', async () => {
    const hostile = [
      "' OR 1 = 1 --",
      "\\' OR 1 = 1 --",
      '\\',
      '\\N',
      'tab\tnewline\nreturn\rnul\0backspace\b',
      "'); DROP TABLE every_type; --",
      '{other:String}',
      '🛠 ünï',
      '',
    ];
    for (const value of hostile) {
      const answer = await client.query({
        query: 'SELECT {value:String} AS value, {list:Array(String)} AS list',
        query_params: { value, list: [value, 'second'] },
        format: 'JSONEachRow',
      });
      expect(await answer.json()).toEqual([{ value, list: [value, 'second'] }]);
    }
  });

  it('may be numbers, nothing, lists, times and names of tables', async () => {
    await client.command({ query: 'CREATE TABLE named (x UInt64) ENGINE = MergeTree ORDER BY x' });
    await client.insert({ table: 'named', values: [[1], [2], [3]], format: 'JSONCompactEachRow' });
    const answer = await client.query({
      query: `SELECT sum(x) AS total, {none:Nullable(String)} AS none, {at:DateTime64(3)} AS at
        FROM {table:Identifier} WHERE x IN {ids:Array(UInt64)}`,
      query_params: {
        table: 'named',
        ids: [1, 3],
        none: null,
        at: new Date('2026-01-01T00:00:00.123Z'),
      },
      format: 'JSONEachRow',
    });
    expect(await answer.json()).toEqual([{ total: 4, none: null, at: '2026-01-01 00:00:00.123' }]);
  });

  it('may be long lists', async () => {
    const ids = Array.from({ length: 50_000 }, (_, id) => id);
    const answer = await client.query({
      query: 'SELECT length({ids:Array(UInt64)}) AS n, arraySum({ids:Array(UInt64)}) AS total',
      query_params: { ids },
      format: 'JSONEachRow',
    });
    expect(await answer.json()).toEqual([{ n: 50_000, total: (50_000 * 49_999) / 2 }]);
  });

  it('hold for their own request, not for the next one of the same connection', async () => {
    const query = 'SELECT {secret:String} AS secret';
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const answer = await client.query({ query, query_params: { secret: 'x' }, format: 'JSON' });
      await answer.text();
    }
    await expect(client.query({ query, format: 'JSONEachRow' })).rejects.toMatchObject({
      code: '456',
      type: 'UNKNOWN_QUERY_PARAMETER',
    });
  });

  it('do not mix when requests run at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, n) => {
        const answer = await client.query({
          query: 'SELECT {n:UInt32} AS n, {text:String} AS text, sleepEachRow(0.002)',
          query_params: { n, text: `text ${n}` },
          format: 'JSONEachRow',
        });
        return answer.json<{ n: number; text: string }>();
      }),
    );
    const wanted = Array.from({ length: 60 }, (_, n) => ({ n, text: `text ${n}` }));
    expect(answers.flat()).toMatchObject(wanted);
  });
});
