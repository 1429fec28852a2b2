import { openClickhouse } from '#clickhouse/clickhouse.js';
import { topicSpecsFor } from '#contracts/topics.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { openDatabase } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import type { UptakeConfig } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import { required } from '#runtime/load-config.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { AdoptionModule } from './adoption/adoption.module.js';
import { ApiModule } from './api.module.js';
import { createServer } from './http/server.js';
import { ProbesModule } from './probes/probes.module.js';
import { TrackingModule } from './tracking/tracking.module.js';

/** Opens the stores and starts to listen; answers with the address once requests are taken. */
export async function startApi(
  config: UptakeConfig,
  logger: Logger,
  shutdown: Shutdown,
): Promise<{ readonly baseUrl: string }> {
  const databaseUrl = required(config, 'databaseUrl');
  const database = await openDatabase({ url: databaseUrl, app: 'api' });
  shutdown.add('postgres', () => database.destroy());
  const ledger = new ClaimLedger({
    databaseUrl,
    app: 'api-claims',
    connectionsMax: config.claimGroupsInFlightMax + 2,
  });
  shutdown.add('claim ledger', () => ledger.close());
  const clickhouse = openClickhouse({ url: required(config, 'clickhouseUrl'), app: 'api' });
  shutdown.add('clickhouse', () => clickhouse.close());
  const log = await openEventLog(config, logger);
  shutdown.add('event log', () => log.close());
  await log.ensureTopics(topicSpecsFor(log.driver));

  let baseUrl = config.baseUrl ?? '';
  const app = await createServer(
    ApiModule.over([
      TrackingModule.over({ config, directory: new DirectoryStore(database), ledger, log }),
      AdoptionModule.over({ config, database, clickhouse, logger }),
      ProbesModule.over([
        {
          name: 'postgres',
          check: async () => {
            await database.query('select 1');
            return { up: true, detail: 'answers' };
          },
        },
        {
          name: 'clickhouse',
          check: async () => ({ up: await clickhouse.isUp(), detail: 'ping' }),
        },
        { name: 'event_log', check: () => log.health() },
      ]),
    ]),
    { bodyBytesMax: config.bodyBytesMax, baseUrl: () => baseUrl, logger },
  );
  await app.listen(config.port, config.host);
  shutdown.add('http server', () => app.close());
  baseUrl ||= await app.getUrl();
  logger.info({ baseUrl }, 'listening');
  return { baseUrl };
}
