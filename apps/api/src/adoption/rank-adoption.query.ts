import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AdoptionQueryDto } from '#contracts/adoption-query.dto.js';
import { toAdoptionPage } from './adoption-page.js';
import { PageCache, toRenderedPage, type RenderedPage } from './page-cache.js';
import { PublicationDefaults } from './publication-defaults.js';
import { PublishedSnapshots, type PublishedSnapshot } from './published-snapshots.js';

/** Show the adoption ranking of the latest epoch. */
export class RankAdoption extends Query<RenderedPage> {
  constructor(readonly filter: AdoptionQueryDto) {
    super();
  }
}

/** Renders each page once per epoch: within an epoch everybody gets the same bytes. */
@QueryHandler(RankAdoption)
export class RankAdoptionHandler implements IQueryHandler<RankAdoption> {
  private readonly pages = new PageCache<PublishedSnapshot | null>();

  constructor(
    private readonly snapshots: PublishedSnapshots,
    private readonly defaults: PublicationDefaults,
  ) {}

  async execute({ filter }: RankAdoption): Promise<RenderedPage> {
    const snapshot = this.snapshots.current();
    const key = JSON.stringify([filter.category, filter.tool, filter.period, filter.limit]);
    const { policy, rateLimit } = this.defaults;
    return this.pages.get(snapshot, key, () =>
      toRenderedPage({ ...toAdoptionPage(snapshot, filter, policy), rateLimit }),
    );
  }
}
