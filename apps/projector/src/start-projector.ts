import { topics, usageAcceptedTopic, type Topic } from '#contracts/topics.js';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { applyTables } from '#clickhouse/tables.js';
import type { EventLog, Subscription, TopicSpec } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase } from '#postgres/database.js';
import { ProjectionProgress } from '#postgres/publication/projection-progress.js';
import { read_model_tables } from '#read-models/tables.js';
import type { UptakeConfig } from '#runtime/config.js';
import { durationMs } from '#runtime/duration.js';
import type { Logger } from '#runtime/logger.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { projector_limits } from './limits.js';
import { openProbes } from './probes.js';
import { usage_projection, UsageProjection } from './project-usage/project-usage.js';
import { PublicationSchedule } from './publication/publication-schedule.js';
import { Publisher } from './publication/publisher.js';
import { publicationTerms } from './publication/publication-terms.js';

const app = 'projector';

/** Starts projecting and publishing; `done` rejects when the log is lost for good. */
export async function startProjector(
  config: UptakeConfig,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ readonly done: Promise<void> }> {
  const database = await openDatabase({ url: required(config.databaseUrl, 'DATABASE_URL'), app });
  shutdown.add('database', () => database.destroy());

  const columnStore = {
    url: required(config.clickhouseUrl, 'CLICKHOUSE_URL'),
    app,
    database: 'uptake',
  };
  await applyTables(columnStore, read_model_tables);
  const clickhouse = openClickhouse(columnStore);
  shutdown.add('clickhouse', () => clickhouse.close());

  const log = await openEventLog(config, logger);
  shutdown.add('event log', () => log.close());
  await log.ensureTopics(topics.map((topic) => specOf(topic, log.driver)));

  const terms = publicationTerms(config);
  const publisher = new Publisher(database, clickhouse, terms);
  const schedule = new PublicationSchedule(database, publisher, terms.intervalMs, logger);
  schedule.start();
  shutdown.add('publication', () => schedule.stop());

  const progress = new ProjectionProgress(database);
  const projection = new UsageProjection(log, clickhouse, progress, gatheringLimits(config));
  const subscription = await subscribe(log, projection, config, logger);
  shutdown.add('projection', () => subscription.stop());

  if (config.probePort !== undefined) {
    const probes = await openProbes(config.probePort, {
      postgres: () => database.query('select 1').then(() => true),
      clickhouse: () => clickhouse.isUp(),
      eventLog: async () => (await log.health()).up,
    });
    shutdown.add('probes', () => probes.close());
    logger.info({ port: probes.port }, 'probes are open');
  }
  logger.info({ assignment: subscription.assignment().length }, 'projecting');
  return { done: subscription.done };
}
