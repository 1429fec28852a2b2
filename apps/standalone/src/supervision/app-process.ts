import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endChild, endOf, followLines, type EndingStep } from '#embedded-engines/child.js';
import { supervised_argument } from '#runtime/run-app.js';
import { limits } from '../limits.js';
import type { RunningChild } from './supervised.js';

export const app_names = ['api', 'ingest-worker', 'projector'] as const;

export type AppName = (typeof app_names)[number];

const ending: readonly EndingStep[] = [
  { signal: 'SIGTERM', wait_ms: limits.app_stop_wait_ms },
  { signal: 'SIGKILL', wait_ms: limits.app_kill_wait_ms },
];

/**
 * Starts one of the apps as a process of its own, just as a deployment does. The IPC channel tells
 * it when this process is gone, kill -9 included; then it ends by itself. All share a session: the
 * cores are shared between sessions first, and a thread of the API that works through a batch would
 * use up the share of the one that answers.
 */
export function startApp(
  name: AppName,
  env: Readonly<Record<string, string | undefined>>,
  log: (line: string) => void,
): RunningChild {
  const entry = fileURLToPath(new URL(`../../../${name}/src/main.js`, import.meta.url));
  const child = spawn(process.execPath, [entry, supervised_argument], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env,
  });
  const ended = endOf(child);
  followLines(child, log);
  return { pid: child.pid ?? 0, ended, stop: () => endChild(child, ended, ending) };
}
