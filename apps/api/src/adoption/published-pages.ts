import type { AdoptionQueryDto } from '#contracts/adoption-query.dto.js';
import { selectRows } from '#domain/adoption/select-rows.js';
import { acceptedType } from '../http/accepted-type.js';
import { page_content_type } from '../http/cacheable-answer.js';
import type { ReadyPages } from '../http/ready-reads.js';
import { PageCache } from '../pages/page-cache.js';
import { toRenderedPage, type RenderedPage } from '../pages/rendered-page.js';
import { csvFileName, toAdoptionCsv } from './adoption-csv.js';
import { toAdoptionPage, type SelectedPage } from './adoption-page.js';
import type { AdoptionQueryReader } from './adoption-query-reader.js';
import type { PageCursors } from './page-cursors.js';
import type { PublicationDefaults } from './publication-defaults.js';
import type { PublishedSnapshot, PublishedSnapshots } from './published-snapshots.js';
import { ranking_types, type RankingType } from './ranking-types.js';

/**
 * The pages of the latest epoch. Each is rendered once per epoch: within an epoch everybody gets
 * the same bytes.
 */
export class PublishedPages implements ReadyPages {
  readonly paths = ['/api/v1/adoption', '/api/v1/agent-rank'];
  private readonly rendered = new PageCache<PublishedSnapshot | null>();
  private readonly keys = new WeakMap<AdoptionQueryDto, Readonly<Record<RankingType, string>>>();

  constructor(
    private readonly snapshots: PublishedSnapshots,
    private readonly reader: AdoptionQueryReader,
    private readonly cursors: PageCursors,
    private readonly defaults: PublicationDefaults,
  ) {}

  /**
   * @throws ProblemError `not_ready` while nobody knows what was published; `invalid_query` or
   * `cursor_expired` for a cursor that does not lead into the latest epoch.
   */
  page(query: AdoptionQueryDto, type: RankingType): RenderedPage {
    const snapshot = this.snapshots.current();
    return this.rendered.get(snapshot, this.keyOf(query, type), () => {
      const offset = this.cursors.offsetOf(query, snapshot);
      const page = this.select(snapshot, query, offset);
      const { category, tool, period, limit } = query;
      const asked = [category ?? null, tool ?? null, period, limit, offset];
      const shown = page.epoch && [page.epoch.epoch, page.epoch.checksum, page.epoch.policyVersion];
      return this.render(page, type, JSON.stringify([shown, asked]));
    });
  }

  find(text: string, accept: string | undefined): RenderedPage | null {
    const { latest } = this.snapshots;
    const query = this.reader.known(text);
    if (latest === undefined || query === null) return null;
    const type = acceptedType(accept, ranking_types);
    return type === null ? null : this.rendered.find(latest, this.keyOf(query, type));
  }

  private select(
    snapshot: PublishedSnapshot | null,
    query: AdoptionQueryDto,
    offset: number,
  ): SelectedPage {
    const { category = null, tool = null, period, limit } = query;
    const rows = snapshot?.periods.get(period) ?? [];
    const selection = selectRows(rows, { category, tool, offset, limit });
    if (snapshot === null) return { epoch: null, query, selection, nextCursor: null };
    const end = offset + selection.rows.length;
    const isLast = end >= selection.total;
    const nextCursor = isLast ? null : this.cursors.at(end, snapshot, query);
    return { epoch: snapshot.epoch, query, selection, nextCursor };
  }

  private render(page: SelectedPage, type: RankingType, identity: string): RenderedPage {
    const { epoch, query, selection, nextCursor } = page;
    const next: RenderedPage['fields'] =
      nextCursor === null ? {} : { link: nextLink(query, nextCursor) };
    switch (type) {
      case 'application/json': {
        const { policy, rateLimit } = this.defaults;
        const text = JSON.stringify({ ...toAdoptionPage(page, policy), rateLimit });
        return toRenderedPage(text, { 'content-type': page_content_type, ...next }, identity);
      }
      case 'text/csv': {
        const fields = {
          'content-type': 'text/csv; charset=utf-8; header=present',
          'content-disposition': `attachment; filename="${csvFileName(query.period, epoch)}"`,
        };
        const text = toAdoptionCsv(selection.rows, query.period, epoch);
        return toRenderedPage(text, { ...fields, ...next }, identity);
      }
    }
  }

  /** What the same text asks for again is the same object: the reader remembers it. */
  private keyOf(query: AdoptionQueryDto, type: RankingType): string {
    const known = this.keys.get(query);
    if (known !== undefined) return known[type];
    const { category, tool, period, limit, cursor } = query;
    const key = JSON.stringify([category, tool, period, limit, cursor]);
    const keys = { 'application/json': `json ${key}`, 'text/csv': `csv ${key}` };
    this.keys.set(query, keys);
    return keys[type];
  }
}

/** The next page as a web link (RFC 8288); it begins with its query, so that any name will do. */
function nextLink({ category, tool, period, limit }: AdoptionQueryDto, cursor: string): string {
  const query = new URLSearchParams({
    ...(category !== undefined && { category }),
    ...(tool !== undefined && { tool }),
    period,
    limit: String(limit),
    cursor,
  });
  return `<?${query.toString()}>; rel="next"`;
}
