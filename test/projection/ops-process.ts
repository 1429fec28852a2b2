import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { FaultPoint } from '#runtime/fault-points.js';
import { specEnvironment } from '../support/service.js';
import type { UptakeConfig } from '#runtime/config.js';

const entry = fileURLToPath(new URL('../privacy-stores/faulty-ops.main.js', import.meta.url));

export interface OpsProcess {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly err: string;
  /** What was printed on standard output, by `--json`; empty when nothing was. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Runs `ops projection … --json` as a process of its own; with `fault` it kills itself there. */
export async function runProjection(
  { databaseUrl, clickhouseUrl, kafkaBrokers }: UptakeConfig,
  parameters: readonly string[],
  fault?: FaultPoint,
): Promise<OpsProcess> {
  const stores = { databaseUrl: databaseUrl!, clickhouseUrl: clickhouseUrl! };
  const child = spawn(process.execPath, [entry, 'projection', ...parameters, '--json'], {
    env: {
      PATH: process.env['PATH'],
      ...specEnvironment(stores),
      // Some worlds keep to the embedded log, whatever the log of the run is.
      ...(kafkaBrokers === undefined && { KAFKA_BROKERS: '' }),
      ...(fault !== undefined && { FAULT: fault }),
    },
  });
  child.stdin.end();
  const [[code, signal], out, err] = await Promise.all([
    once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>,
    text(child.stdout),
    text(child.stderr),
  ]);
  const json = (out === '' ? {} : JSON.parse(out)) as OpsProcess['json'];
  return { code, signal, err, json };
}
