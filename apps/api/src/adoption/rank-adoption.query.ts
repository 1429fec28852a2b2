import { createHash } from 'node:crypto';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import type { AdoptionQueryDto } from '#contracts/adoption-query.dto.js';
import { PublicationDefaults } from './publication-defaults.js';
import { toAdoptionPage } from './adoption-page.js';
import { PublishedSnapshots, type PublishedSnapshot } from './published-snapshots.js';

const pages_max = 1_000;

/** An answer as it is sent; equal bytes have equal tags. */
export interface RenderedPage {
  readonly body: Buffer;
  /** Strong entity tag, quotes included. */
  readonly etag: string;
}

/** Show the adoption ranking of the latest epoch. */
export class RankAdoption extends Query<RenderedPage> {
  constructor(readonly filter: AdoptionQueryDto) {
    super();
  }
}

/** Renders each page once per epoch: within an epoch everybody gets the same bytes. */
@QueryHandler(RankAdoption)
export class RankAdoptionHandler implements IQueryHandler<RankAdoption> {
  private readonly pages = new Map<string, RenderedPage>();
  private rendered: PublishedSnapshot | null = null;

  constructor(
    private readonly snapshots: PublishedSnapshots,
    private readonly defaults: PublicationDefaults,
  ) {}

  async execute({ filter }: RankAdoption): Promise<RenderedPage> {
    const snapshot = this.snapshots.current();
    if (snapshot !== this.rendered || this.pages.size >= pages_max) {
      this.pages.clear();
      this.rendered = snapshot;
    }
    const key = JSON.stringify([filter.category, filter.tool, filter.period, filter.limit]);
    const known = this.pages.get(key);
    if (known !== undefined) return known;
    const page = render(toAdoptionPage(snapshot, filter, this.defaults.policy));
    this.pages.set(key, page);
    return page;
  }
}

function render(page: object): RenderedPage {
  const body = Buffer.from(JSON.stringify(page));
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}
