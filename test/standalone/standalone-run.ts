import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { birthOf } from '#embedded-engines/running-process.js';

const entry = fileURLToPath(new URL('../../apps/standalone/src/main.js', import.meta.url));
const ready_wait_ms = 90_000;
const poll_ms = 50;

export interface StandaloneCredentials {
  readonly baseUrl: string;
  readonly organizationTrackingKey: string;
  readonly productTrackingKey: string;
}

/** One run of the command that starts everything, in a data directory of its own. */
export class StandaloneRun {
  private output = '';
  private readonly exited: Promise<number | null>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly dataDir: string,
  ) {
    this.exited = once(child, 'exit').then(([code]) => code as number | null);
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  static begin(
    dataDir: string,
    env: Readonly<Record<string, string>> = {},
    { ownGroup = false } = {},
  ): StandaloneRun {
    const child = spawn(process.execPath, [entry], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], PORT: '0', DEMO: 'false', DATA_DIR: dataDir, ...env },
      // As a shell gives to a command; without it, Ctrl+C ends the specs and this alike.
      detached: ownGroup,
    });
    return new StandaloneRun(child, dataDir);
  }

  /** Begins, and waits until the banner tells that everything serves. */
  static async ready(
    dataDir: string,
    env: Readonly<Record<string, string>> = {},
    options: { readonly ownGroup?: boolean } = {},
  ): Promise<StandaloneRun> {
    const run = StandaloneRun.begin(dataDir, env, options);
    await until('the banner', () => {
      if (run.child.exitCode !== null) throw new Error(`It ended early:\n${run.output}`);
      return Promise.resolve(run.output.includes('Uptake is ready at'));
    }).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${run.output}`);
    });
    return run;
  }

  /** Waits until `text` was printed. */
  printedSoon(text: string): Promise<void> {
    return until(text, () => Promise.resolve(this.output.includes(text)));
  }

  get printed(): string {
    return this.output;
  }

  async credentials(): Promise<StandaloneCredentials> {
    const text = await readFile(join(this.dataDir, 'credentials.json'), 'utf8');
    return JSON.parse(text) as StandaloneCredentials;
  }

  /** Process ids by the names of the children. */
  async children(): Promise<Readonly<Record<string, number>>> {
    const text = await readFile(join(this.dataDir, 'children.json'), 'utf8');
    const children = JSON.parse(text) as Record<string, { pid: number }>;
    return Object.fromEntries(Object.entries(children).map(([name, { pid }]) => [name, pid]));
  }

  /** Exit code after the signal; null when the signal itself ended the process. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return this.exited;
  }

  /** What the keyboard does to a group of its own: every process of it gets the signal. */
  async interrupt(): Promise<number | null> {
    process.kill(-this.child.pid!, 'SIGINT');
    return this.exited;
  }

  get exitCode(): Promise<number | null> {
    return this.exited;
  }
}

/** Asks again and again; a wait that takes too long says what it was for. */
export async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + ready_wait_ms;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`Waited too long for ${what}.`);
    await pause(poll_ms);
  }
}

/** Whether none of the processes runs any more. */
export async function allGone(pids: readonly number[]): Promise<boolean> {
  const births = await Promise.all(pids.map((pid) => birthOf(pid)));
  return births.every((birth) => birth === null);
}

export async function isReady(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );
}

/** Sends one event of the starter product; answers with what the service said. */
export async function track(
  { baseUrl, organizationTrackingKey }: StandaloneCredentials,
  idempotencyKey: string,
): Promise<{ status: number; tracked?: boolean; duplicate?: boolean; eventId?: string }> {
  const response = await fetch(`${baseUrl}/api/usage/track`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${organizationTrackingKey}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      event_name: 'FIRST_API_CALL',
      developer_id: 'developer-1',
      account_domain: 'customer.example',
      product: { id: 'starter' },
      occurredAt: '2026-11-01T00:00:00.000Z',
      idempotencyKey,
    }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}
