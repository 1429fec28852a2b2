import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { usageAcceptedTopic, usageReceivedTopic } from '#contracts/topics.js';
import { credentialHash } from '#domain/credentials/credential.js';
import { clickhouse_user } from '#embedded-engines/clickhouse/authorization.js';
import { database, superuser } from '#embedded-engines/postgres/cluster.js';
import type { EventLog } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { UptakeConfig } from '#runtime/config.js';
import { createLogger } from '#runtime/logger.js';
import { clerk_group } from '../../apps/ingest-worker/src/ingest-worker.js';
import { eventually } from '../support/eventually.js';
import { first_version } from '../support/first-version.js';
import { readLogContents } from '../support/log-contents.js';
import type { Installation } from './installation.js';
import type { FoundEvent, FoundHash, StoredState } from './stored-state.js';

const rest_ms_max = 120_000;
const run = promisify(execFile);
const logger = createLogger('chaos', 'silent');

interface StoreAddresses {
  readonly databaseUrl: string;
  readonly clickhouseUrl: string;
}

/** Reads every store once the consumers have nothing left to do. */
export async function readStoredState(installation: Installation): Promise<StoredState> {
  const addresses = await addressesOf(installation);
  const kafkaBrokers = installation.broker?.address;
  const config = Object.assign(new UptakeConfig(), { ...addresses, kafkaBrokers });
  await atRest(config);
  // Claims first: an event that is adopted at this very moment is in the log by then (I1).
  const claims = await readClaims(addresses.databaseUrl);
  const { received, accepted, quarantined } = await readLogContents(config);
  return {
    claims,
    received: received.map(({ eventId, payloadHash, event }) => ({
      eventId,
      payloadHash,
      content: event.latency_ms ?? null,
    })),
    accepted: accepted.map(({ eventId, latencyMs }) => ({ eventId, content: latencyMs })),
    quarantined,
    rows: await readRows(addresses.clickhouseUrl),
  };
}

/** The organization that a tracking key speaks for. */
export async function organizationOf(
  installation: Installation,
  trackingKey: string,
): Promise<string> {
  const { databaseUrl } = await addressesOf(installation);
  const rows = await query<{ organization_id: string }>(
    databaseUrl,
    'select organization_id from tracking_key where secret_hash = $1',
    [credentialHash(trackingKey)],
  );
  const id = rows[0]?.organization_id;
  if (id === undefined) throw new Error('Nobody knows the tracking key.');
  return id;
}

/** The clerk has judged all that was received, and the projector has stored all of that. */
async function atRest(config: UptakeConfig): Promise<void> {
  const log = await openEventLog(config, logger);
  const groups = [
    [clerk_group, usageReceivedTopic.name],
    [first_version.group, usageAcceptedTopic.name],
  ] as const;
  try {
    // In this order: what the clerk has done by the first answer counts in the second.
    const behind = async () => {
      const lags: string[] = [];
      for (const [group, topic] of groups) lags.push(`${topic}: ${await lagOf(log, group, topic)}`);
      return lags;
    };
    await eventually(behind, (lags) => lags.every((lag) => lag.endsWith(': 0')), rest_ms_max);
  } finally {
    await log.close();
  }
}

async function lagOf(log: EventLog, group: string, topic: string): Promise<bigint> {
  const lags = await log.lag(group, topic);
  return lags.reduce((sum, { lag }) => sum + lag, 0n);
}

async function readClaims(databaseUrl: string): Promise<readonly FoundHash[]> {
  const rows = await query<{ event_id: string; payload_hash: string }>(
    databaseUrl,
    `select event_id, encode(payload_hash, 'hex') as payload_hash from idempotency_claim`,
  );
  return rows.map((row) => ({ eventId: row.event_id, payloadHash: row.payload_hash }));
}

async function readRows(clickhouseUrl: string): Promise<readonly FoundEvent[]> {
  const clickhouse = openClickhouse({ url: clickhouseUrl, app: 'chaos' });
  try {
    const rows = await clickhouse.rows<{ event_id: string; latency_ms: string | number | null }>(
      'SELECT toString(event_id) AS event_id, latency_ms FROM usage_events_v1 FINAL',
    );
    return rows.map(({ event_id, latency_ms }) => ({
      eventId: event_id,
      content: latency_ms === null ? null : Number(latency_ms),
    }));
  } finally {
    await clickhouse.close();
  }
}

async function query<Row extends object>(
  databaseUrl: string,
  sql: string,
  parameters: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...parameters])).rows;
  } finally {
    await client.end();
  }
}

/** Where the engines listen now: a restarted parent gives them other ports. */
async function addressesOf(installation: Installation): Promise<StoreAddresses> {
  const file = (...path: readonly string[]) =>
    readFile(join(installation.dataDirectory, ...path), 'utf8').then((text) => text.trim());
  const postgresPort = (await file('postgres', 'cluster', 'postmaster.pid')).split('\n')[3];
  const { clickhouse } = await installation.children();
  // The last argument of the column store's program is its port.
  const { stdout } = await run('ps', ['-o', 'args=', '-p', String(clickhouse?.pid)]);
  const clickhousePort = stdout.trim().split(' ').at(-1);
  const asPostgresUser = `${superuser}:${await file('postgres', 'password')}`;
  const asClickhouseUser = `${clickhouse_user}:${await file('clickhouse', 'password')}`;
  return {
    databaseUrl: `postgres://${asPostgresUser}@127.0.0.1:${postgresPort}/${database}`,
    clickhouseUrl: `http://${asClickhouseUser}@127.0.0.1:${clickhousePort}`,
  };
}
