import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { endChild, endOf } from '#embedded-engines/child.js';
import { eventually } from '../support/eventually.js';
import { classPath, prepareBroker, type BrokerFiles } from './broker-files.js';
import { kafkaVersion } from './broker-release.js';
import { certificateOf, type BrokerSecurity } from './broker-security.js';

const start_ms_max = 60_000;
/**
 * It lives shorter than the second compiler of its engine needs to pay: without that one it costs
 * half the processor time in its first half minute.
 */
const engine = ['-Xms256m', '-Xmx512m', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];
const ending = [
  { signal: 'SIGTERM', wait_ms: 20_000 },
  { signal: 'SIGKILL', wait_ms: 5_000 },
] as const;

export interface BrokerOptions {
  /** Folder the broker owns alone: jars, settings, log and records. */
  readonly directory: string;
  /** A release of Kafka; the newest known when absent. */
  readonly version?: string | undefined;
  /** A free one when absent; it stays the same over restarts. */
  readonly port?: number | undefined;
  /** What clients must show; nothing when absent. */
  readonly security?: BrokerSecurity | undefined;
}

/** A real Kafka broker from Maven Central on loopback, as a child of this process. */
export class Broker {
  private child: ChildProcess | null = null;
  private ended: Promise<string> = Promise.resolve('never started');

  private constructor(
    private readonly directory: string,
    private readonly files: BrokerFiles,
  ) {}

  /** Makes the folder ready; nothing runs yet. */
  static async prepare(options: BrokerOptions): Promise<Broker> {
    const files = await prepareBroker({ ...options, version: kafkaVersion(options.version) });
    return new Broker(options.directory, files);
  }

  /** What `KAFKA_BROKERS` is set to. */
  get address(): string {
    return `127.0.0.1:${this.files.port}`;
  }

  /** What `KAFKA_TLS_CA` is set to when it has been given a security. */
  get certificate(): string {
    return certificateOf(this.directory);
  }

  /** Folder of the jars, for Kafka's own tools. */
  get jars(): string {
    return this.files.jars;
  }

  get pid(): number {
    const pid = this.child?.pid;
    if (pid === undefined || !this.isRunning()) throw new Error('The broker does not run.');
    return pid;
  }

  isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Starts it, for the first time or again, and waits until its port answers. */
  async start(): Promise<void> {
    if (this.isRunning()) return;
    const { jars, properties } = this.files;
    const child = spawn('java', [...engine, ...classPath(jars), 'kafka.Kafka', properties], {
      cwd: this.directory,
      stdio: ['ignore', 'pipe', 'pipe'],
      // An interrupt from the keyboard reaches the parent alone, which stops the broker last.
      detached: true,
    });
    const log = createWriteStream(join(this.directory, 'broker.log'), { flags: 'a' });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    this.child = child;
    this.ended = endOf(child);
    await eventually(() => this.answers(), Boolean, start_ms_max);
  }

  /** Settles with a sentence when the process that runs now has ended. */
  whenEnded(): Promise<string> {
    return this.ended;
  }

  /** Kills it with -9 and waits until it is gone. */
  async kill(): Promise<void> {
    this.child?.kill('SIGKILL');
    await this.ended;
  }

  async stop(): Promise<void> {
    if (this.child !== null) await endChild(this.child, this.ended, ending);
  }

  private async answers(): Promise<boolean> {
    if (!this.isRunning()) {
      const said = await this.ended;
      throw new Error(`The broker ${said}; see ${join(this.directory, 'broker.log')}.`);
    }
    return new Promise((resolve) => {
      const socket = connect(this.files.port, '127.0.0.1');
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
      socket.once('connect', () => socket.destroy());
    });
  }
}

/** A broker that runs. */
export async function startBroker(options: BrokerOptions): Promise<Broker> {
  const broker = await Broker.prepare(options);
  await broker.start();
  return broker;
}
