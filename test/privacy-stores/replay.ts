import { AcceptUsage } from '../../apps/ingest-worker/src/accept-usage.js';
import { UsageProjection } from '#read-models/project-usage/project-usage.js';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { usageAcceptedTopic, usageReceivedTopic } from '#contracts/topics.js';
import type { EventLog, LogBatch } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { openDatabase } from '#postgres/database.js';
import { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { MappingDirectories } from '#postgres/organizations/mapping-directories.js';
import type { UptakeConfig } from '#runtime/config.js';
import { createLogger } from '#runtime/logger.js';
import { first_version } from '../support/first-version.js';

const limits = { sizeMax: 1_000, sizeEnough: 1, waitMs: 1, quarantineShareMax: 1 };

/** Reads both topics from their first record, as a clerk and a projector of fresh groups do. */
export async function replayFromTheBeginning(config: UptakeConfig): Promise<void> {
  const logger = createLogger('spec', 'silent');
  const databaseUrl = config.databaseUrl!;
  const database = await openDatabase({ url: databaseUrl, app: 'spec' });
  const ledger = new ClaimLedger({ databaseUrl, app: 'spec', connectionsMax: 1 });
  const clickhouse = openClickhouse({ url: config.clickhouseUrl!, app: 'spec' });
  const log = await openEventLog(config, logger);
  try {
    const identities = new IdentityRegistry(database);
    const directories = new MappingDirectories(database, new DirectoryStore(database));
    const erasures = new ErasureLedger(database);
    const stores = { log, ledger, identities, erasures, directories, logger };
    const clerk = new AcceptUsage(stores, limits);
    await deliver(log, usageReceivedTopic.name, (batch) => clerk.handle(batch));
    const parts = { log, clickhouse, database, logger };
    const projection = new UsageProjection(first_version, parts, limits);
    await deliver(log, usageAcceptedTopic.name, (batch) => projection.handle(batch));
  } finally {
    await log.close();
    await clickhouse.close();
    await ledger.close();
    await database.destroy();
  }
}

async function deliver(
  log: EventLog,
  topic: string,
  handle: (batch: LogBatch) => Promise<void>,
): Promise<void> {
  for await (const batch of log.read(topic)) await handle(batch);
}
