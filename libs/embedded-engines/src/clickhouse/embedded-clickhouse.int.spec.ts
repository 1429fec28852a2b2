import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { stat } from 'node:fs/promises';
import type { Engine } from '../engine.js';
import { quietClient } from '../testing/quiet-client.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { startClickHouse } from './embedded-clickhouse.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engines: Engine[] = [];

beforeEach(async () => {
  folder = await temporaryFolder();
});

afterEach(async () => {
  await Promise.all(engines.map((engine) => engine.stop()));
  engines = [];
  await folder.remove();
});

async function start(): Promise<Engine> {
  const engine = await startClickHouse({ directory: folder.path, log: () => undefined });
  engines.push(engine);
  return engine;
}

async function sum(engine: Engine): Promise<string> {
  const client = quietClient(engine.url);
  const query = 'SELECT count(), sum(n) FROM kept';
  const answer = await client.query({ query, format: 'TabSeparated' });
  const text = (await answer.text()).trim();
  await client.close();
  return text;
}

describe('the embedded column store', () => {
  it('keeps every acknowledged row when its process is killed', async () => {
    const first = await start();
    const client = quietClient(first.url);
    await client.command({ query: 'CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n' });
    let acknowledged = 0;
    const writing = (async () => {
      for (let n = 0; n < 10_000; n += 1) {
        await client.insert({ table: 'kept', values: [[1]], format: 'JSONCompactEachRow' });
        acknowledged += 1;
        if (acknowledged === 40) process.kill(first.pid, 'SIGKILL');
      }
    })();
    await expect(writing).rejects.toThrow();
    expect(await first.ended).toBe('ended by SIGKILL');
    await client.close();

    const second = await start();
    const [rows] = (await sum(second)).split('\t').map(Number);
    // The insert that was under way may have been written without an answer.
    expect([acknowledged, acknowledged + 1]).toContain(rows);
  });

  it('keeps its rows and its password over an orderly stop', async () => {
    const first = await start();
    const client = quietClient(first.url);
    await client.command({ query: 'CREATE TABLE kept (n UInt64) ENGINE = MergeTree ORDER BY n' });
    await client.command({ query: 'INSERT INTO kept SELECT number FROM numbers(101)' });
    await client.close();
    await first.stop();
    expect(await first.ended).toBe('ended with code 0');
    const second = await start();
    expect(await sum(second)).toBe('101\t5050');
    expect(new URL(second.url).password).toBe(new URL(first.url).password);
    expect((await stat(join(folder.path, 'password'))).mode & 0o777).toBe(0o600);
  });

  it('refuses a folder that another of its processes uses, and says which', async () => {
    const first = await start();
    await expect(start()).rejects.toThrow(`is in use by the running process ${first.pid}`);
    const client = quietClient(first.url);
    expect((await client.ping({ select: true })).success).toBe(true);
    await client.close();
  });
});
