import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startClickHouse } from '#embedded-engines/clickhouse/embedded-clickhouse.js';
import type { Engine } from '#embedded-engines/engine.js';
import { startPostgres } from '#embedded-engines/postgres/embedded-postgres.js';

/** The engines of one test run, in a temporary folder. */
export interface TestEngines {
  /** Folder of the run; what specs put below it is removed with it. */
  readonly folder: string;
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
  /** Ends both and removes the folder; a second call waits for the first. */
  stop(): Promise<void>;
}

/** Starts a real PostgreSQL and a real ClickHouse engine that every spec of the run shares. */
export async function startTestEngines(): Promise<TestEngines> {
  const folder = await mkdtemp(join(tmpdir(), 'uptake-test-'));
  const log = (): void => undefined;
  const starts = await Promise.allSettled([
    startPostgres({ directory: join(folder, 'postgres'), log }),
    startClickHouse({ directory: join(folder, 'clickhouse'), log }),
  ]);
  const running = starts.filter((start) => start.status === 'fulfilled').map(({ value }) => value);
  const stop = once(() => stopAll(running, folder));
  const failed = starts.find((start) => start.status === 'rejected');
  const [postgres, clickhouse] = running;
  if (failed !== undefined || postgres === undefined || clickhouse === undefined) {
    await stop();
    throw failed?.reason;
  }
  return { folder, databaseUrl: postgres.url, clickhouseUrl: clickhouse.url, stop };
}

async function stopAll(engines: readonly Engine[], folder: string): Promise<void> {
  await Promise.all(engines.map((engine) => engine.stop()));
  await rm(folder, { recursive: true, force: true });
}

function once(action: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => (done ??= action());
}
