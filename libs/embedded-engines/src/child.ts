import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { LogLine } from './engine.js';
import { limits } from './limits.js';

/** One step of an ending: the signal, and how long the child may take to obey it. */
export interface EndingStep {
  readonly signal: NodeJS.Signals;
  readonly wait_ms: number;
}

/** Settles with a sentence once the child has ended or could not be started at all. */
export function endOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`could not run: ${error.message}`));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? `ended with code ${code}` : `ended by ${signal}`),
    );
  });
}

/** Sends one signal after the other until the child has ended; the last should be SIGKILL. */
export async function endChild(
  child: ChildProcess,
  ended: Promise<string>,
  steps: readonly EndingStep[],
): Promise<void> {
  for (const { signal, wait_ms } of steps) {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    const timer = new AbortController();
    await Promise.race([ended, pause(wait_ms, null, { signal: timer.signal }).catch(() => null)]);
    timer.abort();
  }
}

/** Hands every line the child writes to `log` and remembers the last of them. */
export function followLines(child: ChildProcess, log: LogLine): () => string {
  const tail: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      tail.push(line);
      if (tail.length > limits.log_tail_lines) tail.shift();
      log(line);
    });
  }
  return () => tail.join('\n');
}
