import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import type { Engine } from '../engine.js';
import { birthOf } from '../running-process.js';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { startPostgres } from './embedded-postgres.js';

const host = fileURLToPath(new URL('../testing/postgres-host.js', import.meta.url));
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

async function start(port?: number): Promise<Engine> {
  const directory = join(folder.path, 'pg');
  const engine = await startPostgres({
    directory,
    log: () => undefined,
    ...(port === undefined ? {} : { port }),
  });
  engines.push(engine);
  return engine;
}

async function ask(url: string, sql: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows.map(
      (row) => Object.values(row)[0],
    );
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL server', () => {
  it('is a real one that loses nothing it acknowledged', async () => {
    const engine = await start();
    expect(await ask(engine.url, 'SHOW server_version')).toEqual([expect.stringMatching(/^18\./)]);
    expect(await ask(engine.url, 'SHOW fsync')).toEqual(['on']);
    expect(await ask(engine.url, 'SHOW synchronous_commit')).toEqual(['on']);
    expect(await ask(engine.url, "SELECT 'ä' < 'z' AND length('ü') = 1")).toEqual([false]);
  });

  it('listens on loopback only and wants the kept password', async () => {
    const engine = await start();
    expect(await ask(engine.url, 'SHOW listen_addresses')).toEqual(['127.0.0.1']);
    expect(await ask(engine.url, 'SHOW unix_socket_directories')).toEqual(['']);
    const guess = engine.url.replace(/:[^:@]*@/, ':guess@');
    await expect(ask(guess, 'SELECT 1')).rejects.toThrow('password authentication failed');
    const file = join(folder.path, 'pg', 'password');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(new URL(engine.url).password).toBe(await readFile(file, 'utf8'));
  });

  it('works below a folder that only its owner may pass', async () => {
    await chmod(folder.path, 0o700);
    const engine = await start();
    expect(await ask(engine.url, 'SELECT 1')).toEqual([1]);
  });

  it('keeps its rows over a stop, and takes the port it is given', async () => {
    const first = await start();
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await first.stop();
    expect(await first.ended).toBe('ended with code 0');
    const second = await start(first.port);
    expect(second.url).toBe(first.url);
    expect(await ask(second.url, 'SELECT answer FROM kept')).toEqual([42]);
  });

  it('starts again after it was killed, even when another program has its process id', async () => {
    const first = await start();
    await ask(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(first.pid, 'SIGKILL');
    expect(await first.ended).toBe('ended by SIGKILL');
    const pidFile = join(folder.path, 'pg', 'cluster', 'postmaster.pid');
    const text = await readFile(pidFile, 'utf8');
    await writeFile(pidFile, text.replace(/^\d+/, String(process.pid)));
    const second = await start();
    expect(await ask(second.url, 'SELECT answer FROM kept')).toEqual([42]);
  });

  it('starts over when its first start was killed half-way', async () => {
    const draft = join(folder.path, 'pg', 'cluster.new');
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, 'PG_VERSION'), '18\n');
    const engine = await start();
    expect(await ask(engine.url, 'SELECT 1')).toEqual([1]);
  });

  it('says so when the port is taken', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    await expect(start(port)).rejects.toThrow(/Address already in use/);
    server.close();
  });

  it('ends soon after the process that started it was killed', async () => {
    const parent = spawn(process.execPath, [host, join(folder.path, 'pg')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = (await once(parent.stdout, 'data')) as [Buffer];
    const orphan = Number(line.toString());
    expect(await birthOf(orphan)).not.toBeNull();
    parent.kill('SIGKILL');
    await once(parent, 'exit');
    const engine = await start();
    expect(engine.pid).not.toBe(orphan);
    expect(await birthOf(orphan)).toBeNull();
    expect(await ask(engine.url, 'SELECT 1')).toEqual([1]);
  });
});
