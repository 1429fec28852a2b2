import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
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
      answer({ code, out, err, json: valueOf(out) ?? valueOf(err) ?? {} });
    });
  });
}

/** The one JSON value that a text is, or null. */
function valueOf(text: string): OpsRun['json'] | null {
  try {
    return JSON.parse(text) as OpsRun['json'];
  } catch {
    return null;
  }
}

/** A command line that is under way. */
export interface StartedOps {
  /** What it has printed by now. */
  readonly out: () => string;
  readonly err: () => string;
  /** Ends it and resolves with its exit code; null after `SIGKILL`. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the command line and leaves it to the spec to end it. */
export function startOps(
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
): StartedOps {
  const options = { env: { PATH: process.env['PATH'], ...env } };
  const child = spawn(process.execPath, [entry, ...parameters], options);
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (texts.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (texts.err += chunk.toString()));
  const closed = once(child, 'close') as Promise<[number | null]>;
  return {
    out: () => texts.out,
    err: () => texts.err,
    end: async (signal) => {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
}

/** Runs the command line while nobody reads what it prints. */
export async function runOpsUnread(
  parameters: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly err: string }> {
  const options = { env: { PATH: process.env['PATH'], ...env } };
  const child = spawn(process.execPath, [entry, ...parameters], options);
  child.stdout.destroy();
  let err = '';
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, err };
}
