import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { FaultPoint } from '#runtime/fault-points.js';
import { specEnvironment, type SpecService } from '../support/service.js';

const entry = fileURLToPath(new URL('./faulty-ops.main.js', import.meta.url));

export interface EraseRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Runs `ops erase` as a process of its own, the identifier on standard input. */
export async function runErase(
  { config }: SpecService,
  parameters: readonly string[],
  identifier: string,
  fault?: FaultPoint,
): Promise<EraseRun> {
  const { databaseUrl, clickhouseUrl } = config;
  const stores = { databaseUrl: databaseUrl!, clickhouseUrl: clickhouseUrl! };
  const child = spawn(process.execPath, [entry, 'erase', ...parameters], {
    env: {
      PATH: process.env['PATH'],
      ...specEnvironment(stores),
      ...(fault !== undefined && { FAULT: fault }),
    },
  });
  child.stdin.end(identifier);
  const [[code, signal], out, err] = await Promise.all([
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  return { code, signal, out, err };
}
