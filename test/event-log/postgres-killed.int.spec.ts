import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine } from '#embedded-engines/engine.js';
import { startPostgres } from '#embedded-engines/postgres/embedded-postgres.js';
import { EmbeddedEventLog } from '#event-log/embedded/embedded-event-log.js';
import { LogUnavailableError, type LogAck, type LogRecord } from '#event-log/event-log.js';

const topic = 'killed.v1';
const patience_ms = 30_000;

/** Appends numbered records one call after the other and remembers what was acknowledged. */
class NumberedAppender {
  readonly acked = new Map<string, LogAck>();
  private stopped = false;

  constructor(
    private readonly log: EmbeddedEventLog,
    private readonly name: string,
  ) {}

  async run(): Promise<void> {
    for (let call = 0; !this.stopped; call += 1) {
      const names = Array.from({ length: 20 }, (_, index) => `${this.name}-${call}-${index}`);
      const records = names.map((name) => ({ key: name, value: Buffer.from(name) }));
      try {
        const acks = await this.log.append(topic, records);
        names.forEach((name, index) => this.acked.set(name, acks[index]!));
      } catch (error) {
        if (!(error instanceof LogUnavailableError)) throw error;
      }
    }
  }

  stop(): void {
    this.stopped = true;
  }
}

describe('a PostgreSQL that is killed with -9 under load and started again', () => {
  let directory: string;
  let engine: Engine;
  let log: EmbeddedEventLog;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'uptake-log-'));
    engine = await startPostgres({ directory, log: () => undefined });
    log = new EmbeddedEventLog({ databaseUrl: engine.url });
    await log.open();
    await log.ensureTopics([{ name: topic, partitions: 3, retentionMs: 3_600_000 }]);
  });
  afterAll(async () => {
    await log.close();
    await engine.stop();
    await rm(directory, { recursive: true, force: true });
  });

  async function killAndRestart(): Promise<void> {
    const { pid, port, ended } = engine;
    process.kill(pid, 'SIGKILL');
    await ended;
    engine = await startPostgres({ directory, port, log: () => undefined });
  }

  async function everything(): Promise<LogRecord[]> {
    const records: LogRecord[] = [];
    for await (const batch of log.read(topic)) records.push(...batch.records);
    return records;
  }

  it('has every acknowledged record, each record once, and its consumer goes on', async () => {
    const consumed = new Set<string>();
    const subscription = await log.subscribe({
      group: 'survivor',
      topics: [topic],
      handler: async ({ records }) => records.forEach(({ key }) => consumed.add(key)),
    });
    const appenders = ['a', 'b', 'c'].map((name) => new NumberedAppender(log, name));
    const runs = appenders.map((appender) => appender.run());
    for (let kill = 0; kill < 2; kill += 1) {
      await sleep(400);
      await killAndRestart();
    }
    await sleep(400);
    appenders.forEach((appender) => appender.stop());
    await Promise.all(runs);

    const records = await everything();
    const places = new Map(records.map((record) => [record.key, record]));
    expect(places.size).toBe(records.length);
    const acked = appenders.flatMap((appender) => [...appender.acked]);
    expect(acked.length).toBeGreaterThan(100);
    const lost = acked.filter(([name, { partition, offset }]) => {
      const found = places.get(name);
      return found?.partition !== partition || found.offset !== offset;
    });
    expect(lost).toEqual([]);
    for (let waited = 0; consumed.size < records.length && waited < patience_ms; waited += 50) {
      await sleep(50);
    }
    expect(consumed.size).toBe(records.length);
    await subscription.stop();
  });
});
