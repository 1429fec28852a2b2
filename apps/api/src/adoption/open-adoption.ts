import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { publicationPolicyOf } from '#domain/adoption/policy.js';
import type { openDatabase } from '#postgres/database.js';
import { PublicationStore } from '#postgres/publication/publication-store.js';
import { AdoptionRowsReader } from '#read-models/adoption-rows/adoption-rows.reader.js';
import type { UptakeConfig } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import { describePolicy, rateLimitPolicies } from '../rate-limits/rate-limit-policies.js';
import { AdoptionQueryReader } from './adoption-query-reader.js';
import { MethodologyPages } from './methodology-pages.js';
import { cursorKeyOf, PageCursors } from './page-cursors.js';
import { PublicationDefaults } from './publication-defaults.js';
import { PublishedPages } from './published-pages.js';
import { PublishedSnapshots } from './published-snapshots.js';

export interface AdoptionStores {
  readonly config: UptakeConfig;
  readonly database: Awaited<ReturnType<typeof openDatabase>>;
  readonly clickhouse: Clickhouse;
  readonly logger: Logger;
}

/** What the public adoption reads are answered from. */
export interface OpenAdoption {
  readonly snapshots: PublishedSnapshots;
  readonly reader: AdoptionQueryReader;
  readonly explanations: MethodologyPages;
  readonly pages: PublishedPages;
}

/** Nothing is read before the module over it starts. */
export function openAdoption(stores: AdoptionStores): OpenAdoption {
  const { config, database, clickhouse, logger } = stores;
  const snapshots = new PublishedSnapshots(
    new PublicationStore(database),
    new AdoptionRowsReader(clickhouse),
    logger,
  );
  const reader = new AdoptionQueryReader();
  const defaults = new PublicationDefaults(
    publicationPolicyOf(config),
    describePolicy(rateLimitPolicies(config)['public-read']),
  );
  const cursors = new PageCursors(cursorKeyOf(config.identityPepper));
  return {
    snapshots,
    reader,
    explanations: new MethodologyPages(snapshots, defaults),
    pages: new PublishedPages(snapshots, reader, cursors, defaults),
  };
}
