import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOps } from '../ops/ops-run.js';
import { createSpecStores } from '../support/stores.js';
import { allGone, isReady, StandaloneRun, track, until } from './standalone-run.js';

let folder: string;
let dataDir: string;
const runs: StandaloneRun[] = [];

beforeEach(async () => {
  // A folder that only its owner may pass, with a space in its path.
  folder = await mkdtemp(join(tmpdir(), 'uptake standalone '));
  dataDir = join(folder, 'my data');
});

afterEach(async () => {
  await Promise.all(runs.splice(0).map((run) => run.end('SIGTERM')));
  await rm(folder, { recursive: true, force: true });
});

async function start(options: { readonly ownGroup?: boolean } = {}): Promise<StandaloneRun> {
  const run = await StandaloneRun.ready(dataDir, {}, options);
  runs.push(run);
  return run;
}

describe('the command that starts everything', () => {
  it('serves, keeps its directory to itself, ends cleanly, comes back with its data', async () => {
    const first = await start();
    const credentials = await first.credentials();
    expect(await isReady(credentials.baseUrl)).toBe(true);
    expect(first.printed).toContain(credentials.organizationTrackingKey);
    expect(Object.keys(credentials)).toEqual([
      'baseUrl',
      'organizationTrackingKey',
      'productTrackingKey',
      'developerToken',
      'projectToken',
      'sessionCookie',
      'enterpriseReadKey',
    ]);
    for (const secret of ['credentials.json', 'identity-pepper', 'postgres/password']) {
      expect([secret, (await stat(join(dataDir, secret))).mode & 0o777]).toEqual([secret, 0o600]);
    }
    const stored = await track(credentials, 'one');
    expect(stored).toMatchObject({ status: 200, tracked: true, duplicate: false });

    const second = StandaloneRun.begin(dataDir);
    expect(await second.exitCode).toBe(1);
    expect(second.printed).toContain(`${dataDir} is in use by the running process`);
    expect(await isReady(credentials.baseUrl)).toBe(true);

    const children = Object.values(await first.children());
    expect(children).toHaveLength(5);
    expect(await first.end('SIGTERM')).toBe(0);
    expect(await allGone(children)).toBe(true);

    const again = await (await start()).credentials();
    expect(again.organizationTrackingKey).toBe(credentials.organizationTrackingKey);
    const repeated = await track(again, 'one');
    expect(repeated).toMatchObject({ tracked: true, duplicate: true, eventId: stored.eventId });
  });

  it('brings back every child that is killed, and survives being killed itself', async () => {
    const first = await start();
    const credentials = await first.credentials();
    await track(credentials, 'before');
    for (const name of ['api', 'ingest-worker', 'projector', 'postgres', 'clickhouse']) {
      const killed = (await first.children())[name]!;
      process.kill(killed, 'SIGKILL');
      await until(`${name} to be back`, async () => (await first.children())[name] !== killed);
      await until('readiness', () => isReady(credentials.baseUrl));
      await until(
        `an event to be taken after ${name} was killed`,
        async () => (await track(credentials, `after ${name}`)).tracked === true,
      );
    }
    const children = Object.values(await first.children());
    expect(await first.end('SIGKILL')).toBeNull();

    const next = await start();
    expect(await allGone(children)).toBe(true);
    const again = await next.credentials();
    for (const key of ['before', 'after api', 'after postgres', 'after clickhouse']) {
      expect([key, await track(again, key)]).toMatchObject([key, { duplicate: true }]);
    }
  });

  it('stops what it started in turn when the keyboard interrupts all of it', async () => {
    const run = await start({ ownGroup: true });
    const children = Object.values(await run.children());
    expect(await run.interrupt()).toBe(0);
    expect(await allGone(children)).toBe(true);
    const told = run.printed.split('\n').filter((line) => line.includes('"msg":"stopping"'));
    const signals = told.map((line) => /"signal":"(\w+)"/.exec(line)?.[1]);
    expect(signals.toSorted()).toEqual(['SIGINT', 'SIGTERM', 'SIGTERM', 'SIGTERM']);
  });

  it('starts no engine that it was given an address for', async () => {
    const stores = await createSpecStores();
    try {
      const run = await StandaloneRun.ready(dataDir, {
        DATABASE_URL: stores.databaseUrl,
        CLICKHOUSE_URL: stores.clickhouseUrl,
        // Longer than Node's own limit for a whole request.
        HEADERS_WAIT_MS_MAX: '400000',
        REQUEST_WAIT_MS_MAX: '500000',
      });
      expect(Object.keys(await run.children()).sort()).toEqual([
        'api',
        'ingest-worker',
        'projector',
      ]);
      expect(await track(await run.credentials(), 'one')).toMatchObject({ tracked: true });
      expect(await run.end('SIGTERM')).toBe(0);
    } finally {
      await stores.drop();
    }
  });

  it('says so when the data directory cannot be made', async () => {
    const file = join(folder, 'a file');
    await writeFile(file, '');
    const run = StandaloneRun.begin(join(file, 'below'));
    expect(await run.exitCode).toBe(1);
    expect(run.printed).toContain('below cannot be made (ENOTDIR)');
    expect(run.printed).not.toContain('at async');
  });

  it('says so when nothing can be made where the data directory is wanted', async () => {
    const run = StandaloneRun.begin('/proc/nowhere/data');
    expect(await run.exitCode).toBe(1);
    expect(run.printed).toMatch(/^The data directory .* cannot be made \(E[A-Z]+\)/);
  });

  it('says so when there is no such host', async () => {
    const nowhere = StandaloneRun.begin(dataDir, { HOST: 'nowhere.invalid' });
    expect(await nowhere.exitCode).toBe(1);
    expect(nowhere.printed).toContain('HOST nowhere.invalid is no address of this machine');
  });

  it('runs without an app while an operator moves its group', async () => {
    const whole = await StandaloneRun.ready(dataDir);
    expect(await track(await whole.credentials(), 'one')).toMatchObject({ tracked: true });
    const ops = (...parameters: string[]) =>
      runOps(['--data-dir', dataDir, '--json', ...parameters], {});
    const lag = async () => (await ops('group', 'list')).out;
    await until('the commit', async () => (await lag()).includes('"ingest-worker-v1"'));
    const reset = ['group', 'reset', 'ingest-worker-v1', '--topic', 'usage.received.v1'];
    const move = () => ops(...reset, '--to', 'beginning', '--execute');
    expect((await move()).err).toContain('APPS_LEFT_OUT=ingest-worker npm start');
    await whole.end('SIGTERM');

    const part = StandaloneRun.begin(dataDir, { APPS_LEFT_OUT: 'ingest-worker' });
    await part.printedSoon('runs without ingest-worker');
    expect(Object.keys(await part.children())).not.toContain('ingest-worker');
    expect(await move()).toMatchObject({ code: 0, json: { executed: true } });
    expect(await part.end('SIGTERM')).toBe(0);
  });

  it('says so when the port is taken, and leaves nothing behind', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const run = StandaloneRun.begin(dataDir, { PORT: String(port) });
    expect(await run.exitCode).toBe(1);
    expect(run.printed).toContain(`Port ${port} of 127.0.0.1 is in use.`);
    server.close();
    expect(await readdir(join(dataDir, 'lock'))).toEqual([]);
  });

  it('names the setting that is wrong', async () => {
    const run = StandaloneRun.begin(dataDir, { PUBLISH_INTERVAL: 'often' });
    expect(await run.exitCode).toBe(2);
    expect(run.printed).toContain('PUBLISH_INTERVAL is "often"');
  });
});
