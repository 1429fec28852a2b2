import { spawn, type ChildProcess } from 'node:child_process';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endChild, endOf, followLines, type EndingStep } from '../child.js';
import { EngineStartError, type Engine, type EngineOptions } from '../engine.js';
import { limits } from '../limits.js';
import { keptSecret } from '../secret-file.js';
import { clickhouse_user } from './authorization.js';
import { noteClickHousePort } from './running-clickhouse.js';

const program = fileURLToPath(new URL('./clickhouse-server.main.js', import.meta.url));
const ending: readonly EndingStep[] = [
  { signal: 'SIGTERM', wait_ms: limits.stop_wait_ms },
  { signal: 'SIGKILL', wait_ms: limits.abort_wait_ms },
];

/**
 * Starts a real ClickHouse engine as a process of its own that speaks ClickHouse's HTTP protocol
 * on the loopback interface, and waits until it answers.
 * @throws EngineStartError with the end of its log, for instance when the folder is in use.
 */
export async function startClickHouse(options: EngineOptions): Promise<Engine> {
  const directory = resolve(options.directory);
  const threads = `UV_THREADPOOL_SIZE=${limits.statement_threads}`;
  const parameters = [threads, process.execPath, program, directory, String(options.port ?? 0)];
  const child = spawn('env', parameters, {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // An interrupt from the keyboard reaches the parent only, which stops this process in turn.
    detached: true,
  });
  const ended = endOf(child);
  const tail = followLines(child, options.log);
  const waiting = new AbortController();
  const begun = await Promise.race([ended, listening(child, waiting.signal)]);
  waiting.abort();
  if (typeof begun === 'string') {
    await endChild(child, ended, ending);
    throw new EngineStartError(`The column store ${begun}:\n${tail()}`);
  }
  await noteClickHousePort(directory, begun.port);
  const password = await keptSecret(join(directory, 'password'));
  return {
    url: `http://${clickhouse_user}:${password}@127.0.0.1:${begun.port}`,
    port: begun.port,
    pid: child.pid!,
    ended,
    stop: () => endChild(child, ended, ending),
  };
}

function listening(child: ChildProcess, waiting: AbortSignal): Promise<{ port: number } | string> {
  return new Promise((resolve) => {
    child.once('message', (message) => resolve(message as { port: number }));
    const timer = setTimeout(
      () => resolve(`did not listen after ${limits.start_wait_ms} ms`),
      limits.start_wait_ms,
    );
    waiting.addEventListener('abort', () => clearTimeout(timer));
  });
}
