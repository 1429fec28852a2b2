import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '#embedded-engines/free-port.js';
import { eventually } from '../support/eventually.js';
import { Broker } from '../kafka/broker.js';
import type { TrackingAddress } from './tracking-client.js';

const entry = fileURLToPath(new URL('../../apps/standalone/src/main.js', import.meta.url));
const ready_ms_max = 120_000;
const stop_ms_max = 20_000;
const probe_ms_max = 5_000;

/** Which driver of the event log an installation runs on. */
export const logs = ['embedded', 'kafka'] as const;

export type LogName = (typeof logs)[number];

/** A process as the installation writes it down: its id, and what tells it from a later one. */
export interface RecordedChild {
  readonly pid: number;
  readonly birth: string;
}

/**
 * The whole service as a user starts it, `node apps/standalone`, without the demo, in a temporary
 * folder and on a port that stays the same over restarts.
 */
export class Installation {
  private parent: ChildProcess | null = null;

  private constructor(
    readonly folder: string,
    private readonly port: number,
    private readonly log: WriteStream,
    /** The log's own server; null where the log is embedded. */
    readonly broker: Broker | null,
  ) {}

  /** A new empty data directory, and for Kafka a broker of its own; nothing runs yet. */
  static async create(logName: LogName): Promise<Installation> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'uptake-chaos-')));
    const log = createWriteStream(join(folder, 'standalone.log'));
    const broker =
      logName === 'kafka' ? await Broker.prepare({ directory: join(folder, 'kafka') }) : null;
    return new Installation(folder, await freePort(), log, broker);
  }

  get dataDirectory(): string {
    return join(this.folder, 'installation');
  }

  /** Starts the service, for the first time or again, and waits until it is ready. */
  async start(): Promise<TrackingAddress> {
    await this.broker?.start();
    const parent = spawn(process.execPath, [entry], {
      env: {
        ...process.env,
        PORT: String(this.port),
        DATA_DIR: this.dataDirectory,
        DEMO: 'false',
        PUBLISH_INTERVAL: 'PT3S',
        KAFKA_BROKERS: this.broker?.address ?? '',
        // The shortest that brokers allow: until then nobody has the partitions of the killed.
        KAFKA_SESSION_TIMEOUT_MS: '6000',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      // An interrupt from the keyboard reaches the harness alone, which stops the service itself.
      detached: true,
    });
    this.parent = parent;
    parent.stdout.pipe(this.log, { end: false });
    parent.stderr.pipe(this.log, { end: false });
    await this.ready();
    const credentials = await this.json<{ baseUrl: string; organizationTrackingKey: string }>(
      'credentials.json',
    );
    if (credentials === null) throw new Error('There are no credentials.');
    return { baseUrl: credentials.baseUrl, trackingKey: credentials.organizationTrackingKey };
  }

  /** Waits until the API says that every engine answers, and keys have been given out. */
  async ready(): Promise<void> {
    const probe = async () => {
      this.assertRunning();
      const keys = (await this.json('credentials.json')) !== null;
      return keys && (await this.readiness());
    };
    await eventually(probe, (ready) => ready, ready_ms_max);
  }

  isRunning(): boolean {
    return this.parent !== null && this.parent.exitCode === null && !this.parent.signalCode;
  }

  /** @throws Error when the parent process has ended, which nobody asked it to. */
  assertRunning(): void {
    if (!this.isRunning()) throw new Error(`The service ended by itself; see ${this.folder}.`);
  }

  /** The processes that the service has started, by name. */
  async children(): Promise<Readonly<Record<string, RecordedChild>>> {
    return (await this.json<Record<string, RecordedChild>>('children.json')) ?? {};
  }

  /** Kills the parent process alone. */
  async killParent(): Promise<void> {
    await this.signal('SIGKILL');
  }

  /** Ends the service in an orderly way; the data stays. */
  async stop(): Promise<void> {
    const late = setTimeout(() => this.parent?.kill('SIGKILL'), stop_ms_max);
    await this.signal('SIGTERM');
    clearTimeout(late);
  }

  /** Ends the service and its broker. */
  async end(): Promise<void> {
    await this.stop();
    await this.broker?.stop();
  }

  /** Removes everything that was written. */
  async remove(): Promise<void> {
    this.log.end();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  private async signal(signal: NodeJS.Signals): Promise<void> {
    const { parent } = this;
    if (parent === null || !this.isRunning()) return;
    const ended = once(parent, 'exit');
    parent.kill(signal);
    await ended;
  }

  private async readiness(): Promise<boolean> {
    const signal = AbortSignal.timeout(probe_ms_max);
    const answer = fetch(`http://127.0.0.1:${this.port}/readyz`, { signal });
    return answer.then(
      async (response) => {
        await response.text();
        return response.status === 200;
      },
      () => false,
    );
  }

  private async json<Content>(name: string): Promise<Content | null> {
    const text = await readFile(join(this.dataDirectory, name), 'utf8').catch(() => null);
    return text === null ? null : (JSON.parse(text) as Content);
  }
}
