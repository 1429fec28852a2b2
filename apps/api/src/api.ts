import { openClickhouse } from '#clickhouse/clickhouse.js';
import type { UptakeConfig } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import { required } from '#runtime/load-config.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { AdoptionModule } from './adoption/adoption.module.js';
import { openAdoption } from './adoption/open-adoption.js';
import { ApiModule } from './api.module.js';
import { recordKeyUse } from './credentials/record-key-use.js';
import { TrackingKeys } from './credentials/tracking-keys.js';
import { DocumentationModule } from './documentation/documentation.module.js';
import { api_endpoints } from './documentation/endpoints/endpoints.js';
import { createServer } from './http/server.js';
import { MetricsModule } from './metrics/metrics.module.js';
import { dependenciesOf } from './probes/dependencies.js';
import { ProbesModule } from './probes/probes.module.js';
import { openRateLimiter } from './rate-limits/open-rate-limiter.js';
import { BatchLanes } from './tracking/batches/batch-lanes.js';
import { openTracking } from './tracking/open-tracking.js';
import { TrackingModule } from './tracking/tracking.module.js';

/** Opens the stores and starts to listen; answers with the address once requests are taken. */
export async function startApi(
  config: UptakeConfig,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ readonly baseUrl: string }> {
  const tracking = await openTracking(config, logger, shutdown, 'api');
  const { database, directory, log } = tracking;
  const lanes = new BatchLanes(config, logger);
  shutdown.add('batch lanes', () => lanes.stop());
  await lanes.start();
  const clickhouse = openClickhouse({ url: required(config, 'clickhouseUrl'), app: 'api' });
  shutdown.add('clickhouse', () => clickhouse.close());
  const limiter = openRateLimiter(config, logger, shutdown);
  const keyUse = recordKeyUse(directory.keys, logger, shutdown);
  const keys = new TrackingKeys(directory.keys, keyUse, config.appendDeadlineMs);
  const adoption = openAdoption({ config, database, clickhouse, logger });

  let listeningAt = config.baseUrl ?? '';
  const baseUrl = () => listeningAt;
  const app = await createServer(
    ApiModule.over([
      TrackingModule.over(tracking, lanes, keys),
      AdoptionModule.over(adoption),
      ProbesModule.over(dependenciesOf(database, clickhouse, log, tracking.breaker)),
      DocumentationModule.over(config, baseUrl),
      { module: MetricsModule },
    ]),
    {
      bodyBytesMax: config.bodyBytesMax,
      baseUrl,
      logger,
      endpoints: api_endpoints,
      limiter,
      keys,
      readyPages: adoption.pages,
      settings: config,
    },
  );
  await app.listen(config.port, config.host);
  shutdown.add('http server', () => app.close());
  listeningAt ||= await app.getUrl();
  logger.info({ baseUrl: listeningAt }, 'listening');
  return { baseUrl: listeningAt };
}
