import { topicSpecsFor, usageReceivedTopic } from '#contracts/topics.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { openDatabase } from '#postgres/database.js';
import { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { MappingDirectories } from '#postgres/organizations/mapping-directories.js';
import type { UptakeConfig } from '#runtime/config.js';
import { required } from '#runtime/load-config.js';
import type { Logger } from '#runtime/logger.js';
import { watchLag } from '#runtime/metrics.js';
import { startProbeServer } from '#runtime/probe-server.js';
import { answers } from '#runtime/readiness.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { AcceptUsage } from './accept-usage.js';
import { recallDevelopers } from './recall-developers.js';

/** Consumer group of the clerk. */
export const clerk_group = 'ingest-worker-v1';
const claim_connections_max = 2;
/** Records that arrive one by one are judged together: a transaction costs more than a record. */
const gather_ms = 60;
const groups_gathered_max = 3;
/** How long names of claim groups are kept: a clerk that is further behind asks for each claim. */
const group_names_ms = 60 * 60 * 1000;
const group_names_every_ms = 5 * 60 * 1000;

/** Opens the stores and subscribes; `done` rejects when the subscription is lost for good. */
export async function startIngestWorker(
  config: UptakeConfig,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ readonly done: Promise<void> }> {
  const databaseUrl = required(config, 'databaseUrl');
  const database = await openDatabase({ url: databaseUrl, app: 'ingest-worker' });
  shutdown.add('postgres', () => database.destroy());
  const ledger = new ClaimLedger({
    databaseUrl,
    app: 'ingest-worker-claims',
    connectionsMax: claim_connections_max,
  });
  shutdown.add('claim ledger', () => ledger.close());
  shutdown.add('group names', forgetOldGroups(ledger, logger));
  const log = await openEventLog(config, logger);
  shutdown.add('event log', () => log.close());
  await log.ensureTopics(topicSpecsFor(log.driver));
  const identities = new IdentityRegistry(database, config.identitiesRememberedMax);
  const stores = {
    log,
    ledger,
    identities,
    erasures: new ErasureLedger(database),
    directories: new MappingDirectories(database, new DirectoryStore(database)),
    logger,
  };
  const enough = config.claimGroupEventsMax;
  const limits = {
    sizeMax: enough * groups_gathered_max,
    sizeEnough: enough,
    waitMs: gather_ms,
    quarantineShareMax: config.quarantineShareMax,
  };
  const clerk = new AcceptUsage(stores, limits);
  const subscription = await log.subscribe({
    group: clerk_group,
    topics: [usageReceivedTopic.name],
    handler: (batch) => clerk.handle(batch),
    batchRecordsMax: config.claimGroupEventsMax,
    onHandlerError: (error, at) => logger.warn({ err: error, ...at }, 'a batch will be retried'),
  });
  shutdown.add('subscription', () => subscription.stop());
  shutdown.add('recall', recallDevelopers(identities, logger));
  shutdown.add('lag metric', watchLag(log, clerk_group, usageReceivedTopic.name));
  if (config.probePort !== undefined) {
    const probes = await startProbeServer(config.probePort, config.host, {
      postgres: answers(() => database.query('select 1')),
      event_log: () => log.health(),
      quarantine: () => clerk.quarantine.readiness(),
    });
    shutdown.add('probes', probes.stop);
  }
  logger.info('consuming');
  return { done: subscription.done };
}

/** Forgets the names of old claim groups from time to time; answers how to end that. */
function forgetOldGroups(ledger: ClaimLedger, logger: Logger): () => Promise<void> {
  const timer = setInterval(() => {
    ledger
      .forgetGroupsBefore(Date.now() - group_names_ms)
      .catch((error: unknown) => logger.warn({ err: error }, 'old claim groups stay for now'));
  }, group_names_every_ms);
  return () => Promise.resolve(clearInterval(timer));
}
