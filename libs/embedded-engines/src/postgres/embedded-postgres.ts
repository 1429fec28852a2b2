import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { endChild, endOf, followLines, type EndingStep } from '../child.js';
import { EngineStartError, type Engine, type EngineOptions } from '../engine.js';
import { freePort } from '../free-port.js';
import { limits } from '../limits.js';
import { keptSecret } from '../secret-file.js';
import { findBinaries } from './binaries.js';
import { database, preparedCluster, superuser } from './cluster.js';
import { findLauncher, postgresCommand } from './launcher.js';
import { readPostmaster, retireOrphans } from './postmaster.js';
import { settingArguments } from './server-settings.js';

const ending: readonly EndingStep[] = [
  { signal: 'SIGINT', wait_ms: limits.stop_wait_ms },
  { signal: 'SIGQUIT', wait_ms: limits.abort_wait_ms },
  { signal: 'SIGKILL', wait_ms: limits.abort_wait_ms },
];

/**
 * Starts a real PostgreSQL server on the loopback interface with its files below
 * `options.directory`, and waits until it answers. The caller holds the lock of that directory.
 * @throws EngineStartError with the end of the server's log.
 */
export async function startPostgres(options: EngineOptions): Promise<Engine> {
  const directory = resolve(options.directory);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const binaries = await findBinaries(directory);
  const launcher = await findLauncher(directory, [binaries.postgres]);
  const passwordFile = join(directory, 'password');
  const password = await keptSecret(passwordFile);
  const cluster = await preparedCluster({ directory, passwordFile, binaries, launcher });
  await retireOrphans(cluster);

  const port = options.port ?? (await freePort());
  const parameters = ['-D', cluster, '-p', String(port), ...settingArguments()];
  const { command, rest, identity } = postgresCommand(launcher, binaries, 'postgres', parameters);
  const child = spawn(command, rest, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group of its own: an interrupt from the keyboard reaches the parent only, which
    // then stops the server after those who use it.
    detached: true,
    ...identity,
  });
  const ended = endOf(child);
  const tail = followLines(child, options.log);
  const waiting = new AbortController();
  const failure = await Promise.race([ended, ready(cluster, child.pid, waiting.signal)]);
  waiting.abort();
  if (failure !== null) {
    await endChild(child, ended, ending);
    throw new EngineStartError(`PostgreSQL ${failure}:\n${tail()}`);
  }
  return {
    url: `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`,
    port,
    pid: child.pid!,
    ended,
    stop: () => endChild(child, ended, ending),
  };
}

/** `null` when the server takes connections, or a sentence when it took too long. */
async function ready(
  cluster: string,
  pid: number | undefined,
  waiting: AbortSignal,
): Promise<string | null> {
  const deadline = Date.now() + limits.start_wait_ms;
  while (Date.now() < deadline && !waiting.aborted) {
    const postmaster = await readPostmaster(cluster);
    if (postmaster !== null && postmaster.pid === pid && postmaster.status === 'ready') {
      return null;
    }
    await pause(limits.poll_ms);
  }
  return `was not ready after ${limits.start_wait_ms} ms`;
}
