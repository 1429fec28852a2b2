import { topicSpecsFor, usageAcceptedTopic } from '#contracts/topics.js';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { applyTables } from '#clickhouse/tables.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase } from '#postgres/database.js';
import { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { ProjectionProgress } from '#postgres/publication/projection-progress.js';
import { PublicationStore } from '#postgres/publication/publication-store.js';
import { read_model_tables } from '#read-models/tables.js';
import type { UptakeConfig } from '#runtime/config.js';
import { required } from '#runtime/load-config.js';
import type { Logger } from '#runtime/logger.js';
import { watchLag } from '#runtime/metrics.js';
import { startProbeServer } from '#runtime/probe-server.js';
import { answers } from '#runtime/readiness.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { projector_limits } from './limits.js';
import { usage_projection, UsageProjection } from './project-usage/project-usage.js';
import { UsageRowStore } from './project-usage/usage-row-store.js';
import { hadIncident } from './publication/pipeline-incident.js';
import { PublicationSchedule } from './publication/publication-schedule.js';
import { publicationTerms } from './publication/publication-terms.js';
import { Publisher } from './publication/publisher.js';

const app = 'projector';

/** Starts to project and to publish; `done` rejects when the log is lost for good. */
export async function startProjector(
  config: UptakeConfig,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ readonly done: Promise<void> }> {
  const database = await openDatabase({ url: required(config, 'databaseUrl'), app });
  shutdown.add('postgres', () => database.destroy());
  const columnStore = { url: required(config, 'clickhouseUrl'), app };
  await applyTables(columnStore, read_model_tables);
  const clickhouse = openClickhouse(columnStore);
  shutdown.add('clickhouse', () => clickhouse.close());
  const log = await openEventLog(config, logger);
  shutdown.add('event log', () => log.close());
  await log.ensureTopics(topicSpecsFor(log.driver));

  const terms = publicationTerms(config);
  const publications = new PublicationStore(database);
  const publisher = new Publisher(publications, clickhouse, terms, undefined, (asOf) =>
    hadIncident(log, asOf),
  );
  const schedule = new PublicationSchedule(publications, publisher, terms.intervalMs, logger);
  schedule.start();
  shutdown.add('publication', () => schedule.stop());

  const rowsEnough = Math.ceil(config.projectionRowsMax / projector_limits.full_enough_divisor);
  const limits = {
    sizeMax: config.projectionRowsMax,
    sizeEnough: rowsEnough,
    waitMs: config.projectionWaitMs,
    quarantineShareMax: config.quarantineShareMax,
  };
  const progress = new ProjectionProgress(database);
  const rowStore = new UsageRowStore(clickhouse, new ErasureLedger(database));
  const projection = new UsageProjection(log, rowStore, progress, limits, logger);
  const subscription = await log.subscribe({
    group: usage_projection,
    topics: [usageAcceptedTopic.name],
    handler: (batch) => projection.handle(batch),
    batchRecordsMax: rowsEnough,
    onHandlerError: (error, at) => logger.warn({ err: error, ...at }, 'a batch will be retried'),
  });
  shutdown.add('projection', () => subscription.stop());
  shutdown.add('lag', watchLag(log, usage_projection, usageAcceptedTopic.name));

  if (config.probePort !== undefined) {
    const probes = await startProbeServer(config.probePort, config.host, {
      postgres: answers(() => database.query('select 1')),
      clickhouse: async () => ({ up: await clickhouse.isUp(), detail: 'ping' }),
      event_log: () => log.health(),
      quarantine: () => projection.quarantine.readiness(),
    });
    shutdown.add('probes', probes.stop);
  }
  logger.info('projecting');
  return { done: subscription.done };
}
