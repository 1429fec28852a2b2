import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { openClickhouse, type Clickhouse } from '#clickhouse/clickhouse.js';
import { applyTables } from '#clickhouse/tables.js';
import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import { topicSpecsFor, usageAcceptedTopic } from '#contracts/topics.js';
import type { EventLog } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { PublicationStore } from '#postgres/publication/publication-store.js';
import { ProjectionProgress } from '#postgres/publication/projection-progress.js';
import { readModelTables } from '#read-models/tables.js';
import { UptakeConfig } from '#runtime/config.js';
import { UsageProjection } from '#read-models/project-usage/project-usage.js';
import {
  Publisher,
  type PublicationTerms,
} from '../../apps/projector/src/publication/publisher.js';
import { first_version } from '../support/first-version.js';
import { createSpecStores } from '../support/stores.js';

export const silent = pino({ level: 'silent' });

/** A policy under which a handful of developers is a cohort. */
export const small_terms: PublicationTerms = {
  policy: {
    minDevelopers: 3,
    minAccounts: 2,
    topAccountPercentMax: 70,
    pPercent: 1,
    entryDevelopersExtra: 0,
    minDifferenceDevelopers: 1,
    minDifferenceAccounts: 1,
    gateCohortsMax: 30,
    coarseAbovePercent: 70,
    scoreDevelopersPerAccountMax: 50,
    retentionMinDevelopers: 4,
    retentionMinSide: 2,
  },
  intervalMs: 1,
};

/** The projector's parts over real stores, driven step by step. */
export interface ProjectorWorld {
  readonly config: UptakeConfig;
  readonly database: Database;
  readonly clickhouse: Clickhouse;
  readonly log: EventLog;
  readonly progress: ProjectionProgress;
  readonly projection: UsageProjection;
  /** A tool and a product of it. */
  addTool(slug: string): Promise<{ readonly toolId: string; readonly productId: string }>;
  /** Appends accepted events as the clerk does. */
  accept(events: readonly UsageAccepted[]): Promise<void>;
  /** Delivers the whole log from the beginning. */
  deliverAll(batchRecordsMax?: number): Promise<void>;
  publisher(terms?: PublicationTerms, clock?: () => Date): Publisher;
  close(): Promise<void>;
}

export async function openProjectorWorld(): Promise<ProjectorWorld> {
  const stores = await createSpecStores();
  const config = Object.assign(new UptakeConfig(), {
    databaseUrl: stores.databaseUrl,
    clickhouseUrl: stores.clickhouseUrl,
    identityPepper: 'x'.repeat(32),
    projectionWaitMs: 5,
  });
  const database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
  const columnStore = { url: stores.clickhouseUrl, app: 'spec' };
  await applyTables(columnStore, readModelTables(first_version));
  const clickhouse = openClickhouse(columnStore);
  const log = await openEventLog(config, silent);
  await log.ensureTopics(topicSpecsFor(log.driver));
  const progress = new ProjectionProgress(database);
  const limits = { sizeMax: 20_000, sizeEnough: 5_000, waitMs: 5, quarantineShareMax: 1 };
  const parts = { log, clickhouse, database, logger: silent };
  const projection = new UsageProjection(first_version, parts, limits);
  const directory = new DirectoryStore(database);
  const organizationId = await directory.createOrganization({ slug: 'acme', name: 'Acme' });
  return {
    config,
    database,
    clickhouse,
    log,
    progress,
    projection,
    addTool: async (slug) => {
      const toolId = await directory.createTool({ slug, name: slug, categorySlug: 'agents' });
      const product = { organizationId, toolId, slug, name: slug, type: 'api' };
      return { toolId, productId: await directory.createProduct(product) };
    },
    accept: async (events) => {
      await log.append(
        usageAcceptedTopic.name,
        events.map((event) => ({ key: event.eventId, value: Buffer.from(JSON.stringify(event)) })),
      );
    },
    deliverAll: async (batchRecordsMax = 500) => {
      const topic = usageAcceptedTopic.name;
      for await (const batch of log.read(topic, { batchRecordsMax }))
        await projection.handle(batch);
    },
    publisher: (terms = small_terms, clock) =>
      new Publisher(new PublicationStore(database), clickhouse, terms, clock),
    close: async () => {
      await log.close();
      await clickhouse.close();
      await database.destroy();
      await stores.drop();
    },
  };
}

/** An accepted event of today; developers and accounts are numbers. */
export function acceptedEvent(
  productId: string | null,
  developer: number,
  more: Partial<UsageAccepted> & { readonly account?: number } = {},
): UsageAccepted {
  const { account, ...fields } = more;
  const now = new Date().toISOString();
  return {
    eventId: randomUUID(),
    organizationId: '0190b6f4-0000-7000-8000-000000000001',
    productId,
    eventName: 'FIRST_API_CALL',
    eventFamily: 'activation',
    devKey: String(9_000_000_000_000_000_000n + BigInt(developer)),
    accountKey: account === undefined ? null : String(account),
    accountDomain: account === undefined ? null : `account${account}.example`,
    campaignId: null,
    campaignSource: null,
    evidence: 'first_party',
    occurredAt: now,
    receivedAt: now,
    tokensConsumed: null,
    creditCents: null,
    latencyMs: null,
    retryCount: null,
    errorCount: null,
    ...fields,
  };
}

/** One event for each of `developers` developers, spread over `accounts` accounts. */
export function cohortOf(
  productId: string,
  developers: number,
  accounts: number,
  more: Partial<UsageAccepted> = {},
): UsageAccepted[] {
  return Array.from({ length: developers }, (_, index) =>
    acceptedEvent(productId, index, { account: 1 + (index % accounts), ...more }),
  );
}

/** A day in the past at noon, ISO 8601. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}
