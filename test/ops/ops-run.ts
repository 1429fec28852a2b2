import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const entry = fileURLToPath(new URL('../../apps/ops/src/main.js', import.meta.url));

export interface OpsRun {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** What was printed with `--json`. */
  readonly json: Readonly<Record<string, unknown>>;
}

/** Runs the command line as a process of its own; the environment holds nothing but `env`. */
export function runOps(
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<OpsRun> {
  return new Promise((answer) => {
    const options = { env: { PATH: process.env['PATH'], ...env } };
    execFile(process.execPath, [entry, ...parameters], options, (error, out, err) => {
      const code = error === null ? 0 : Number(error.code);
      const printed = out.startsWith('{') || out.startsWith('[') ? out : err;
      answer({ code, out, err, json: /^[{[]/.test(printed) ? JSON.parse(printed) : {} });
    });
  });
}
