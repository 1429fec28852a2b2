import { topicSpecsFor } from '#contracts/topics.js';
import type { EventLog } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { MappingDirectories } from '#postgres/organizations/mapping-directories.js';
import type { UptakeConfig } from '#runtime/config.js';
import { required } from '#runtime/load-config.js';
import type { Logger } from '#runtime/logger.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { AppendBreaker } from './append-breaker.js';
import { BatchReader } from './batches/batch-reader.js';
import { BatchTracking } from './batches/batch-tracking.js';
import { storeClaimGroup } from './claim-group.js';
import { ClaimGroupCommit } from './claim-group-commit.js';
import { ClaimLookups } from './claim-lookups.js';
import { ReceptionDesk } from './reception-desk.js';
import { TrackEventsHandler } from './track-events.command.js';

/** What takes events in, over its own connections: one in the server, one in each lane. */
export interface OpenTracking {
  readonly database: Database;
  readonly directory: DirectoryStore;
  readonly ledger: ClaimLedger;
  readonly log: EventLog;
  readonly breaker: AppendBreaker;
  readonly desk: ReceptionDesk;
  readonly groups: ClaimGroupCommit;
  readonly lookups: ClaimLookups;
  readonly batches: BatchTracking;
}

/** Opens the stores of tracking; `app` names the connections in `pg_stat_activity`. */
export async function openTracking(
  config: UptakeConfig,
  logger: Logger,
  shutdown: Shutdown,
  app: string,
): Promise<OpenTracking> {
  const databaseUrl = required(config, 'databaseUrl');
  const database = await openDatabase({ url: databaseUrl, app });
  shutdown.add('postgres', () => database.destroy());
  const ledger = new ClaimLedger({
    databaseUrl,
    app: `${app}-claims`,
    connectionsMax: config.claimGroupsInFlightMax + 2,
  });
  shutdown.add('claim ledger', () => ledger.close());
  const log = await openEventLog(config, logger);
  shutdown.add('event log', () => log.close());
  await log.ensureTopics(topicSpecsFor(log.driver));
  const directory = new DirectoryStore(database);
  const desk = new ReceptionDesk(config, new MappingDirectories(database, directory));
  const breaker = new AppendBreaker();
  const stores = { ledger, log, appendDeadlineMs: config.appendDeadlineMs, breaker };
  const groups = new ClaimGroupCommit((requests) => storeClaimGroup(requests, stores), breaker, {
    groupEventsMax: config.claimGroupEventsMax,
    groupsInFlightMax: config.claimGroupsInFlightMax,
    queueEventsMax: config.claimQueueEventsMax,
    answerMsMax: config.appendDeadlineMs,
  });
  const lookups = new ClaimLookups((eventIds) => ledger.find(eventIds));
  const events = new TrackEventsHandler(desk, groups, lookups);
  const batches = new BatchTracking(new BatchReader(config.batchEventsMax), events);
  return { database, directory, ledger, log, breaker, desk, groups, lookups, batches };
}
