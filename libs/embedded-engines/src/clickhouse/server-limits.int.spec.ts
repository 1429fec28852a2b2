import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { Engine } from '../engine.js';
import { limits } from '../limits.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { startClickHouse } from './embedded-clickhouse.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let engine: Engine;
let origin: string;
let authorization: string;

// An engine of its own: it is brought to its limits, which others would feel.
beforeAll(async () => {
  folder = await temporaryFolder();
  engine = await startClickHouse({ directory: folder.path, log: () => undefined });
  const url = new URL(engine.url);
  origin = url.origin;
  authorization = `Basic ${Buffer.from(`${url.username}:${url.password}`).toString('base64')}`;
});

afterAll(async () => {
  await engine.stop();
  await folder.remove();
});

async function ask(sql: string): Promise<{ status: number; code: string | null; text: string }> {
  const response = await fetch(origin, { method: 'POST', body: sql, headers: { authorization } });
  const code = response.headers.get('x-clickhouse-exception-code');
  return { status: response.status, code, text: await response.text() };
}

describe('the server of the embedded column store', () => {
  it('refuses a body that is small on the wire and too large in memory', async () => {
    const response = await fetch(`${origin}/?query=INSERT+INTO+nowhere+FORMAT+TSV`, {
      method: 'POST',
      headers: { authorization, 'content-encoding': 'gzip' },
      body: gzipSync(Buffer.alloc(limits.statement_bytes_max + 1)),
    });
    expect(response.status).toBe(413);
    expect(response.headers.get('x-clickhouse-exception-code')).toBe('307');
  });

  it('refuses a body that is too large on the wire', async () => {
    const response = await fetch(`${origin}/?query=INSERT+INTO+nowhere+FORMAT+TSV`, {
      method: 'POST',
      headers: { authorization },
      body: Buffer.alloc(limits.statement_bytes_max + 1),
    });
    expect(response.status).toBe(413);
  });

  it('refuses a compression it does not know', async () => {
    const response = await fetch(origin, {
      method: 'POST',
      headers: { authorization, 'content-encoding': 'zip' },
      body: 'SELECT 1',
    });
    expect(response.headers.get('x-clickhouse-exception-code')).toBe('89');
  });

  it('lets a bounded number of statements wait and refuses the next', async () => {
    const slow = Array.from({ length: limits.reader_sessions }, () => ask('SELECT sleep(2)'));
    const quick = Array.from({ length: limits.statements_waiting_max + 10 }, () => ask('SELECT 1'));
    const answers = await Promise.all([...slow, ...quick]);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['202']));
    expect(answers.filter(({ text }) => text === '1\n')).toHaveLength(
      limits.statements_waiting_max,
    );
  });

  it('keeps what an answered request asked for away from the next one', async () => {
    const failed = await fetch(`${origin}/?max_threads=1&no_such_setting=1&query=SELECT+1`, {
      headers: { authorization },
    });
    expect(failed.status).toBe(400);
    const changed = "SELECT value FROM system.settings WHERE name = 'max_threads' AND changed";
    const threads = await Promise.all(Array.from({ length: 8 }, () => ask(changed)));
    expect(threads.map(({ text }) => text)).toEqual(Array.from({ length: 8 }, () => ''));
  });
});
