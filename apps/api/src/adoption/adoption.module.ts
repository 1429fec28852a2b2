import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { publicationPolicyOf } from '#domain/adoption/policy.js';
import type { openDatabase } from '#postgres/database.js';
import { PublicationStore } from '#postgres/publication/publication-store.js';
import { AdoptionRowsReader } from '#read-models/adoption-rows/adoption-rows.reader.js';
import type { UptakeConfig } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import { describePolicy, rateLimitPolicies } from '../rate-limits/rate-limit-policies.js';
import { AdoptionQueryReader } from './adoption-query-reader.js';
import { AdoptionController } from './adoption.controller.js';
import { PublicationDefaults } from './publication-defaults.js';
import { PublishedSnapshots } from './published-snapshots.js';
import { RankAdoptionHandler } from './rank-adoption.query.js';

export interface AdoptionStores {
  readonly config: UptakeConfig;
  readonly database: Awaited<ReturnType<typeof openDatabase>>;
  readonly clickhouse: Clickhouse;
  readonly logger: Logger;
}

/** The public adoption reads, over the snapshot of the latest epoch and nothing else. */
@Module({})
export class AdoptionModule {
  static over({ config, database, clickhouse, logger }: AdoptionStores): DynamicModule {
    const defaults = new PublicationDefaults(
      publicationPolicyOf(config),
      describePolicy(rateLimitPolicies(config)['public-read']),
    );
    const publications = new PublicationStore(database);
    const rows = new AdoptionRowsReader(clickhouse);
    return {
      module: AdoptionModule,
      imports: [CqrsModule.forRoot()],
      controllers: [AdoptionController],
      providers: [
        {
          provide: PublishedSnapshots,
          useFactory: () => new PublishedSnapshots(publications, rows, logger),
        },
        { provide: PublicationDefaults, useValue: defaults },
        { provide: AdoptionQueryReader, useValue: new AdoptionQueryReader() },
        RankAdoptionHandler,
      ],
    };
  }
}
