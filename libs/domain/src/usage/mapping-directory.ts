import type { EvidenceLabel } from '../evidence.js';
import type { ProductPolicy } from './product-policy.js';

export interface KnownProduct {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly type: string;
}

/** A campaign under which an organization counts events. */
export interface KnownCampaign {
  readonly id: string;
  /** The text that events carry as `campaignId`. */
  readonly slug: string;
  readonly name: string;
  /** Used where an event names none. */
  readonly source: string | null;
  /** Epoch milliseconds; null where the campaign has no such end. */
  readonly startsAt: number | null;
  readonly endsAt: number | null;
}

/** What an organization has registered, as far as mapping needs it. */
export interface MappingDirectory {
  readonly organizationSlug: string;
  readonly evidence: EvidenceLabel;
  readonly products: readonly KnownProduct[];
  readonly policies: readonly ProductPolicy[];
  /** By id and by slug. */
  readonly campaigns: ReadonlyMap<string, KnownCampaign>;
  /** Registrable domains of the organization itself; they are never accounts. */
  readonly ownDomains: ReadonlySet<string>;
}
