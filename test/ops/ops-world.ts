import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { topicSpecsFor, usageReceivedTopic } from '#contracts/topics.js';
import type { EventLog, LogRecord, LogRecordInput } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import type { UptakeConfig } from '#runtime/config.js';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { Shutdown } from '#runtime/shutdown.js';
import { startIngestWorker } from '../../apps/ingest-worker/src/ingest-worker.js';
import { eventually } from '../support/eventually.js';
import { registerVendor, specEnvironment } from '../support/service.js';
import { createSpecStores } from '../support/stores.js';
import { runOps, startOps, type OpsRun, type StartedOps } from './ops-run.js';

export const received = usageReceivedTopic.name;
export const clerk_group = 'ingest-worker-v1';

const silent = createLogger('spec', 'silent');

/** A log, a database and the operator's command line over both. */
export interface OpsWorld {
  readonly config: UptakeConfig;
  readonly log: EventLog;
  readonly database: Database;
  readonly organizationId: string;
  ops(...parameters: string[]): Promise<OpsRun>;
  /** Runs with `--json` and expects success. */
  done(...parameters: string[]): Promise<OpsRun['json']>;
  /** Runs with `--json`, expects a refusal, and answers with exit code and word. */
  refusal(...parameters: string[]): Promise<readonly [code: number, word: string]>;
  /** Starts with `--json`. */
  start(...parameters: string[]): StartedOps;
  startClerk(): Promise<Shutdown>;
  recordsOf(topic: string): Promise<readonly LogRecord[]>;
  close(): Promise<void>;
}

export async function openOpsWorld(): Promise<OpsWorld> {
  const stores = await createSpecStores();
  const environment: Record<string, string> = specEnvironment(stores);
  const config = loadConfig(environment);
  const database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
  const { organizationId } = await registerVendor(new DirectoryStore(database));
  const log = await openEventLog(config, silent);
  await log.ensureTopics(topicSpecsFor(log.driver));
  const env = Object.fromEntries(
    Object.entries(environment).filter(([name]) => /^(DATABASE_URL$|KAFKA_)/.test(name)),
  );
  const ops = (...parameters: string[]) => runOps(parameters, env);
  return {
    config,
    log,
    database,
    organizationId,
    ops,
    done: async (...parameters) => {
      const { code, err, json } = await ops(...parameters, '--json');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      return json;
    },
    refusal: async (...parameters) => {
      const { code, out, json } = await ops(...parameters, '--json');
      expect(out).toBe('');
      const { error } = json as { error: { code: string; message: string } };
      expect(error.message).not.toBe('');
      return [code, error.code];
    },
    start: (...parameters) => startOps([...parameters, '--json'], env),
    startClerk: async () => {
      const shutdown = new Shutdown(silent);
      await startIngestWorker(config, silent, shutdown);
      return shutdown;
    },
    recordsOf: async (topic) => {
      const records: LogRecord[] = [];
      for await (const batch of log.read(topic)) records.push(...batch.records);
      return records;
    },
    close: async () => {
      await log.close();
      await database.destroy();
      await stores.drop();
    },
  };
}

/** A record as the door appends it: an event of an organization that nobody sent before. */
export function receivedRecord(organizationId: string, eventId: string = randomUUID()) {
  const body = {
    eventId,
    organizationId,
    keyId: randomUUID(),
    keyProductId: null,
    idempotencyKey: eventId,
    emailDomain: null,
    receivedAt: new Date().toISOString(),
    payloadHash: 'a'.repeat(64),
    fieldHashes: '',
    event: { event_name: 'FIRST_API_CALL', developer_id: 'b'.repeat(64) },
  };
  return { key: eventId, value: JSON.stringify(body), headers: { ce_id: eventId } };
}

/** Waits until a started operation has a checkpoint behind its beginning. */
export async function underWay(world: OpsWorld, command: string): Promise<string> {
  const rows = await eventually(
    () =>
      world.database.query<{ id: string; done: number }[]>(
        `select id, (checkpoint->>'done')::int as done from operation
         where command = $1 and completed_at is null`,
        [command],
      ),
    ([row]) => (row?.done ?? 0) > 0,
  );
  return rows[0]!.id;
}

/** A record that was set aside, as a room writes it. */
export function quarantinedRecord(
  original: LogRecordInput,
  reason: string,
  redrives = 0,
): LogRecordInput {
  return {
    ...original,
    headers: {
      ...original.headers,
      'quarantine.reason': reason,
      'quarantine.stage': 'ingest-worker',
      'quarantine.origin.topic': received,
      'quarantine.origin.partition': '0',
      'quarantine.origin.offset': '0',
      'quarantine.attempts': '1',
      'quarantine.failed_at': new Date().toISOString(),
      'quarantine.app_version': '0.1.0',
      'quarantine.replay_count': String(redrives),
    },
  };
}
