import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { startIngestWorker } from '../../apps/ingest-worker/src/ingest-worker.js';
import { startProjector } from '../../apps/projector/src/projector.js';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import type { UsageReceived } from '#contracts/messages/usage-received.js';
import { usageAcceptedTopic, usageReceivedTopic } from '#contracts/topics.js';
import type { EventLog, LogRecord, LogRecordInput } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { Shutdown } from '#runtime/shutdown.js';
import { clerk_group } from '../../apps/ops/src/verification/consumers.js';
import { eventually } from '../support/eventually.js';
import { first_version } from '../support/first-version.js';
import {
  specEnvironment,
  startSpecService,
  type Answer,
  type SpecService,
} from '../support/service.js';
import { idsOf, newEvent } from '../support/tracking-events.js';
import { runOps, type OpsRun } from './ops-run.js';

const silent = pino({ level: 'silent' });
export const projection_group = first_version.group;

/** A service whose clerk and projector run only while a spec lets them. */
export interface VerifiedWorld {
  readonly service: SpecService;
  readonly log: EventLog;
  readonly database: Database;
  readonly clickhouse: Clickhouse;
  /** Sends new events and answers with their ids. */
  track(count: number): Promise<readonly string[]>;
  send(events: readonly object[]): Promise<Answer>;
  /** Runs clerk and projector until they have nothing left to do. */
  settle(): Promise<void>;
  /** The received record of an event. */
  receivedOf(eventId: string): Promise<LogRecord>;
  /** Appends a received record that says something else under the id of one that is there. */
  appendChanged(eventId: string): Promise<UsageReceived>;
  appendReceived(...records: LogRecordInput[]): Promise<void>;
  /** Moves the clerk past what it has not read. */
  skipClerk(): Promise<void>;
  /** Variables of a process that works on the same stores. */
  readonly environment: Readonly<Record<string, string>>;
  ops(...parameters: string[]): Promise<OpsRun>;
  close(): Promise<void>;
}

/** `embedded` for specs that reach into the tables of the embedded log, on any run. */
export async function openVerifiedWorld(
  which: 'log of the run' | 'embedded' = 'log of the run',
): Promise<VerifiedWorld> {
  const own: Record<string, string> = which === 'embedded' ? { KAFKA_BROKERS: '' } : {};
  const service = await startSpecService({ BATCH_THREADS: '0', ...own });
  const { config } = service;
  const databaseUrl = config.databaseUrl!;
  const clickhouseUrl = config.clickhouseUrl!;
  const environment = { ...specEnvironment({ databaseUrl, clickhouseUrl }), ...own };
  const log = await openEventLog(config, silent);
  const database = await openDatabase({ url: databaseUrl, app: 'spec' });
  const clickhouse = openClickhouse({ url: clickhouseUrl, app: 'spec' });
  const send = (events: readonly object[]) => service.post('/api/usage/track/batch', { events });
  const receivedOf = (eventId: string) => recordOf(log, usageReceivedTopic.name, eventId);
  const appendReceived = async (...records: LogRecordInput[]) =>
    void (await log.append(usageReceivedTopic.name, records));
  return {
    service,
    log,
    database,
    clickhouse,
    track: async (count) => {
      const { body } = await send(Array.from({ length: count }, () => newEvent()));
      return idsOf(body);
    },
    send,
    settle: () => settle(service, log),
    receivedOf,
    appendReceived,
    appendChanged: async (eventId) => {
      const changed = changedCopy(await receivedOf(eventId));
      await appendReceived({ key: eventId, value: JSON.stringify(changed) });
      return changed;
    },
    skipClerk: () => log.resetGroup(clerk_group, usageReceivedTopic.name, { at: 'end' }),
    environment,
    ops: (...parameters) => runOps(parameters, environment),
    close: async () => {
      await log.close();
      await clickhouse.close();
      await database.destroy();
      await service.stop();
    },
  };
}

export function bodyOf<Body>({ value }: LogRecord): Body {
  return JSON.parse(Buffer.from(value).toString('utf8')) as Body;
}

/** The same id with another content, received a second later. */
export function changedCopy(record: LogRecord): UsageReceived {
  const body = bodyOf<UsageReceived>(record);
  const receivedAt = new Date(Date.parse(body.receivedAt) + 1000).toISOString();
  const payloadHash = randomUUID().replaceAll('-', '').repeat(2);
  return { ...body, receivedAt, payloadHash, event: { ...body.event, latency_ms: 77 } };
}

/** The first record of a key. */
export async function recordOf(log: EventLog, topic: string, key: string): Promise<LogRecord> {
  for await (const { records } of log.read(topic)) {
    const found = records.find((record) => record.key === key);
    if (found !== undefined) return found;
  }
  throw new Error(`${topic} has no record of ${key}.`);
}

async function settle({ config }: SpecService, log: EventLog): Promise<void> {
  const shutdown = new Shutdown(silent);
  await startIngestWorker({ ...config, probePort: undefined }, silent, shutdown);
  await startProjector({ ...config, probePort: undefined }, silent, shutdown);
  for (const [group, topic] of [
    [clerk_group, usageReceivedTopic.name],
    [projection_group, usageAcceptedTopic.name],
  ] as const) {
    await eventually(
      () => log.lag(group, topic),
      (lags) => lags.every(({ lag }) => lag === 0n),
    );
  }
  await shutdown.stop();
}
