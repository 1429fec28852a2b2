import { type DynamicModule, Module } from '@nestjs/common';
import { CqrsModule } from '@nestjs/cqrs';
import { AdoptionQueryReader } from './adoption-query-reader.js';
import { AdoptionController } from './adoption.controller.js';
import { MethodologyPages } from './methodology-pages.js';
import type { OpenAdoption } from './open-adoption.js';
import { PublishedPages } from './published-pages.js';
import { PublishedSnapshots } from './published-snapshots.js';
import { RankAdoptionHandler } from './rank-adoption.query.js';

/** The public adoption reads, over the snapshot of the latest epoch and nothing else. */
@Module({})
export class AdoptionModule {
  static over({ snapshots, reader, explanations, pages }: OpenAdoption): DynamicModule {
    return {
      module: AdoptionModule,
      imports: [CqrsModule.forRoot()],
      controllers: [AdoptionController],
      providers: [
        { provide: PublishedSnapshots, useValue: snapshots },
        { provide: AdoptionQueryReader, useValue: reader },
        { provide: MethodologyPages, useValue: explanations },
        { provide: PublishedPages, useValue: pages },
        RankAdoptionHandler,
      ],
    };
  }
}
