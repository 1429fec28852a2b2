import { mkdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { giveWay } from '#runtime/priority.js';
import { lockDirectory } from '../directory-lock.js';
import { limits } from '../limits.js';
import { keptSecret } from '../secret-file.js';
import { createClickHouseServer } from './http-server.js';
import { SessionPool } from './session-pool.js';
import { readVersion } from './version.js';

/**
 * The program of the embedded column store: `clickhouse-server.main.js <directory> <port>`.
 * It tells its parent over the IPC channel when it listens, and ends when that channel closes, so
 * that a killed parent leaves nothing behind.
 */
async function main(directory: string, port: number): Promise<void> {
  giveWay();
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const unlock = await lockDirectory(join(directory, 'lock'));
  const password = await keptSecret(join(directory, 'password'));
  const pool = new SessionPool(join(directory, 'store'));
  const server = createClickHouseServer({ pool, password, version: await readVersion(pool) });
  // The official client reuses idle connections for a while; the server must keep them longer.
  server.keepAliveTimeout = limits.keep_alive_ms;

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), limits.stop_wait_ms).unref();
    server.close(() => {
      pool.close();
      void unlock().then(() => process.exit(0));
    });
    server.closeIdleConnections();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  process.on('disconnect', stop);

  server.once('error', (error: NodeJS.ErrnoException) => fail(error));
  server.listen(port, '127.0.0.1', () => {
    process.send?.({ port: (server.address() as AddressInfo).port });
  });
}

function fail(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

main(process.argv[2]!, Number(process.argv[3] ?? 0)).catch(fail);
