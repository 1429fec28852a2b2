import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { ReadyMessage } from './child-messages.js';

const start_ms_max = 60_000;
const stop_ms_max = 15_000;

export interface ChildOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** File descriptor for what it logs; standard error when absent. */
  readonly output?: number;
  /** Options for Node itself, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
}

/** A process of the bench that is ready; without a server its `baseUrl` is empty. */
export interface Child {
  readonly pid: number;
  readonly baseUrl: string;
  /** Sends one message and waits for the one that answers it. */
  ask(message: object): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts `test/bench/processes/<entry>.main.ts` and waits until it says that it is ready. */
export async function startChild(entry: string, options: ChildOptions = {}): Promise<Child> {
  const file = fileURLToPath(new URL(`processes/${entry}.main.js`, import.meta.url));
  const child = fork(file, {
    env: { ...process.env, ...options.environment },
    execArgv: [...(options.nodeOptions ?? [])],
    // What a child logs must not mix with the table on standard output.
    stdio: ['ignore', options.output ?? process.stderr, process.stderr, 'ipc'],
  });
  const ended = once(child, 'exit').then(([code, signal]) => String(signal ?? code));
  const next = () => nextMessage(child, ended, entry);
  const late = setTimeout(() => child.kill('SIGKILL'), start_ms_max);
  const { baseUrl } = (await next()) as ReadyMessage;
  clearTimeout(late);
  return {
    pid: child.pid!,
    baseUrl: baseUrl ?? '',
    ask: (message) => {
      const answer = next();
      child.send(message);
      return answer;
    },
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      const force = setTimeout(() => child.kill('SIGKILL'), stop_ms_max);
      await ended;
      clearTimeout(force);
    },
  };
}

async function nextMessage(
  child: ChildProcess,
  ended: Promise<string>,
  entry: string,
): Promise<unknown> {
  const heard = new AbortController();
  const message = once(child, 'message', { signal: heard.signal }).then((values) => values[0]);
  message.catch(() => undefined);
  const loss = ended.then((how): never => {
    throw new Error(`The process "${entry}" ended (${how}).`);
  });
  loss.catch(() => undefined);
  try {
    return await Promise.race([message, loss]);
  } finally {
    heard.abort();
  }
}
