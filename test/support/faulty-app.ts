import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FaultPoint } from '#runtime/fault-points.js';

const entry = fileURLToPath(new URL('../faults/faulty-app.main.js', import.meta.url));
const start_ms_max = 30_000;

/** An app in a process of its own that a spec may lose. */
export interface FaultyApp {
  /** Empty for apps that serve nothing. */
  readonly baseUrl: string;
  /** Resolves with the signal or exit code that ended the process. */
  readonly ended: Promise<string | number>;
  kill(signal: NodeJS.Signals): Promise<void>;
  /** All that the process has written, its log above all; complete when it has ended. */
  output(): string;
}

/** Starts `app`; with `fault` it kills itself when it reaches that point. */
export async function startFaultyApp(
  app: 'api' | 'ingest-worker' | 'projector',
  environment: Readonly<Record<string, string>>,
  fault?: FaultPoint,
): Promise<FaultyApp> {
  const child = fork(entry, {
    env: { ...process.env, ...environment, APP: app, ...(fault !== undefined && { FAULT: fault }) },
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  child.stderr?.pipe(process.stderr);
  const output = collect(child);
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as string | number);
  const baseUrl = await Promise.race([readyOf(child), ended.then(refuse(app))]);
  return {
    baseUrl,
    ended,
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
    output,
  };
}

function collect({ stdout, stderr }: ChildProcess): () => string {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  }
  return () => text;
}

async function readyOf(child: ChildProcess): Promise<string> {
  const signal = AbortSignal.timeout(start_ms_max);
  const [message] = (await once(child, 'message', { signal })) as [{ baseUrl: string | null }];
  return message.baseUrl ?? '';
}

function refuse(app: string) {
  return (how: string | number): never => {
    throw new Error(`The ${app} ended (${how}) before it was ready.`);
  };
}
