import { topicSpecsFor } from '#contracts/topics.js';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { applyTables } from '#clickhouse/tables.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase } from '#postgres/database.js';
import { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import { PublicationStore } from '#postgres/publication/publication-store.js';
import {
  adoption_projection,
  adoptionVersion,
} from '#read-models/adoption-version/adoption-version.js';
import { removeEndedVersions } from '#read-models/adoption-version/remove-versions.js';
import { readModelTables } from '#read-models/tables.js';
import type { UptakeConfig } from '#runtime/config.js';
import { required } from '#runtime/load-config.js';
import type { Logger } from '#runtime/logger.js';
import { startProbeServer } from '#runtime/probe-server.js';
import { answers } from '#runtime/readiness.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { projector_limits } from './limits.js';
import { hadIncident } from './publication/pipeline-incident.js';
import { PublicationSchedule } from './publication/publication-schedule.js';
import { publicationTerms } from './publication/publication-terms.js';
import { Publisher } from './publication/publisher.js';
import { feedVersion } from './versions/feed-version.js';
import { VersionFeeds } from './versions/version-feeds.js';

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
  const versions = new ProjectionVersions(database.manager, adoption_projection);
  // Tables of the other versions are there, made by whoever built them.
  await applyTables(columnStore, readModelTables(adoptionVersion(await versions.live())));
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
  const stores = { log, clickhouse, database, logger };
  const feeds = new VersionFeeds(
    {
      versions,
      feed: (version, isLive) => feedVersion(adoptionVersion(version), stores, limits, isLive),
      removeEnded: () => removeEndedVersions(database, clickhouse),
    },
    logger,
  );
  await feeds.start();
  shutdown.add('projection', () => feeds.stop());

  if (config.probePort !== undefined) {
    const probes = await startProbeServer(config.probePort, config.host, {
      postgres: answers(() => database.query('select 1')),
      clickhouse: async () => ({ up: await clickhouse.isUp(), detail: 'ping' }),
      event_log: () => log.health(),
      quarantine: () => feeds.readiness(),
    });
    shutdown.add('probes', probes.stop);
  }
  logger.info('projecting');
  return { done: feeds.done };
}
