import type { AdoptionQueryDto } from '#contracts/adoption-query.dto.js';
import type { ReadyPages } from '../http/ready-reads.js';
import { PageCache } from '../pages/page-cache.js';
import { toRenderedPage, type RenderedPage } from '../pages/rendered-page.js';
import { toAdoptionPage } from './adoption-page.js';
import type { AdoptionQueryReader } from './adoption-query-reader.js';
import type { PublicationDefaults } from './publication-defaults.js';
import type { PublishedSnapshot, PublishedSnapshots } from './published-snapshots.js';

/**
 * The pages of the latest epoch. Each is rendered once per epoch: within an epoch everybody gets
 * the same bytes.
 */
export class PublishedPages implements ReadyPages {
  readonly paths = ['/api/v1/adoption', '/api/v1/agent-rank'];
  private readonly rendered = new PageCache<PublishedSnapshot | null>();
  private readonly keys = new WeakMap<AdoptionQueryDto, string>();

  constructor(
    private readonly snapshots: PublishedSnapshots,
    private readonly reader: AdoptionQueryReader,
    private readonly defaults: PublicationDefaults,
  ) {}

  /** @throws ProblemError `not_ready` while nobody knows what was published. */
  page(filter: AdoptionQueryDto): RenderedPage {
    const snapshot = this.snapshots.current();
    const { policy, rateLimit } = this.defaults;
    return this.rendered.get(snapshot, this.keyOf(filter), () =>
      toRenderedPage({ ...toAdoptionPage(snapshot, filter, policy), rateLimit }),
    );
  }

  find(query: string): RenderedPage | null {
    const { latest } = this.snapshots;
    const filter = this.reader.known(query);
    if (latest === undefined || filter === null) return null;
    return this.rendered.find(latest, this.keyOf(filter));
  }

  /** What the same filter asks for again is the same object: the reader remembers it. */
  private keyOf(filter: AdoptionQueryDto): string {
    const known = this.keys.get(filter);
    if (known !== undefined) return known;
    const key = JSON.stringify([filter.category, filter.tool, filter.period, filter.limit]);
    this.keys.set(filter, key);
    return key;
  }
}
