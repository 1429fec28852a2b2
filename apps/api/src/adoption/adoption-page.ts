import type { AdoptionQueryDto } from '#contracts/adoption-query.dto.js';
import { adoption_schema_version } from '#domain/adoption/adoption-row.js';
import { windowOf, type AdoptionPeriod } from '#domain/adoption/period.js';
import { publication_policy_version, type PublicationPolicy } from '#domain/adoption/policy.js';
import type { RowSelection } from '#domain/adoption/select-rows.js';
import type { PublishedEpoch } from '#postgres/publication/published-epochs.js';
import { methodologyOf, suppressionOf } from './methodology.js';

const license = 'CC-BY-4.0';

/** The rows that a query selects, and the cursor of what follows them. */
export interface SelectedPage {
  /** Null before the first epoch. */
  readonly epoch: PublishedEpoch | null;
  readonly query: AdoptionQueryDto;
  readonly selection: RowSelection;
  /** Null on the last page. */
  readonly nextCursor: string | null;
}

/**
 * The body of the public adoption reads. `configured` stands in for the policy of the epoch while
 * there is none.
 */
export function toAdoptionPage(page: SelectedPage, configured: PublicationPolicy): object {
  const { epoch, query, selection, nextCursor } = page;
  const { period, limit } = query;
  const { rows, total, suppressed } = selection;
  const policy = epoch?.policy ?? configured;
  const published = epoch === null ? null : toSnapshot(epoch, period);
  return {
    schemaVersion: adoption_schema_version,
    period,
    window: published === null ? null : { from: published.start, to: published.endExclusive },
    epoch: epoch?.epoch ?? null,
    publishedAt: published?.publishedAt ?? null,
    statement:
      epoch === null
        ? 'Nothing has been published yet. That says nothing about any tool.'
        : `Published figures of epoch ${epoch.epoch}; they change with the next epoch only.`,
    rows,
    total,
    suppressed,
    page: { limit, returned: rows.length, total, nextCursor },
    filters: { category: query.category ?? null, tool: query.tool ?? null },
    snapshot: published,
    suppression: suppressionOf(epoch?.policyVersion ?? publication_policy_version, policy),
    methodology: methodologyOf(period, policy),
    license,
    citation: epoch === null ? null : citationOf(epoch, period),
  };
}

function toSnapshot(epoch: PublishedEpoch, period: AdoptionPeriod) {
  const { start, endExclusive } = windowOf(period, epoch.asOf);
  return {
    id: `epoch-${epoch.epoch}`,
    asOf: epoch.asOf.toISOString(),
    publishedAt: epoch.publishedAt.toISOString(),
    nextPublicationAt: epoch.nextPublicationAt?.toISOString() ?? null,
    period,
    start: `${start}T00:00:00.000Z`,
    endExclusive: `${endExclusive}T00:00:00.000Z`,
    checksum: epoch.checksum,
  };
}

function citationOf({ epoch, asOf }: PublishedEpoch, period: AdoptionPeriod): string {
  return `Uptake adoption ranking, ${period}, epoch ${epoch}, as of ${asOf.toISOString()}.`;
}
