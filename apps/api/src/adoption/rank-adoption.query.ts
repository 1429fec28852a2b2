import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AdoptionQueryDto } from '#contracts/adoption-query.dto.js';
import type { RenderedPage } from '../pages/rendered-page.js';
import { PublishedPages } from './published-pages.js';
import type { RankingType } from './ranking-types.js';

/** Show the adoption ranking of the latest epoch. */
export class RankAdoption extends Query<RenderedPage> {
  constructor(
    readonly filter: AdoptionQueryDto,
    readonly type: RankingType,
  ) {
    super();
  }
}

@QueryHandler(RankAdoption)
export class RankAdoptionHandler implements IQueryHandler<RankAdoption> {
  constructor(private readonly pages: PublishedPages) {}

  async execute({ filter, type }: RankAdoption): Promise<RenderedPage> {
    return this.pages.page(filter, type);
  }
}
