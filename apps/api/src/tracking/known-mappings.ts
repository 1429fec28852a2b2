import { parseInstant } from '#domain/text/instant.js';
import {
  mapUsageEvent,
  type EventMapping,
  type MappingDirectory,
} from '#domain/usage/map-usage-event.js';
import type { UsageEvent } from '#domain/usage/read-usage-event.js';
import type { SentUsageEvent } from '#domain/usage/sent-usage-event.js';
import { domainLists } from '#runtime/domain-lists.js';

/** What mapping looks at, always in the same order. */
type Likeness = readonly (string | boolean | null | undefined)[];

/** An event, and what around it may count for its mapping. */
export interface MappedEvent {
  readonly event: UsageEvent;
  /** The event as it will be stored. */
  readonly sent: SentUsageEvent;
  readonly emailDomain: string | null;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/**
 * The mappings that one kind of key got from what its organization has registered: events that are
 * alike in what mapping looks at share one. `mappingsMax` are kept; one more, and they begin anew.
 */
export class KnownMappings {
  private readonly known = new Map<string, EventMapping>();
  private latest: { readonly likeness: Likeness; readonly mapping: EventMapping } | null = null;

  constructor(
    private readonly directory: MappingDirectory,
    private readonly keyProductId: string | null,
    private readonly mappingsMax: number,
  ) {}

  mappingOf(mapped: MappedEvent): EventMapping {
    const likeness = likenessOf(mapped);
    if (likeness === null) return this.map(mapped);
    // Most events are like the one before them, which a look at the parts tells.
    if (this.latest !== null && equal(likeness, this.latest.likeness)) return this.latest.mapping;
    const text = JSON.stringify(likeness);
    const mapping = this.known.get(text) ?? this.keep(text, this.map(mapped));
    this.latest = { likeness, mapping };
    return mapping;
  }

  private keep(text: string, mapping: EventMapping): EventMapping {
    if (this.known.size >= this.mappingsMax) this.known.clear();
    this.known.set(text, mapping);
    return mapping;
  }

  private map({ event, sent, emailDomain, receivedAt }: MappedEvent): EventMapping {
    const mappable = {
      eventName: event.eventName,
      eventFamily: event.eventFamily,
      familySource: event.familySource,
      keyProductId: this.keyProductId,
      hasDeveloperId: event.developerId !== null,
      emailDomain,
      occurredAt: sent.occurredAt == null ? receivedAt : parseInstant(sent.occurredAt),
      sent,
    };
    return mapUsageEvent(mappable, this.directory, domainLists);
  }
}

// Campaigns depend on the time of the event and receipts on much of it: such events are mapped
// each by itself.
function likenessOf({ event, sent, emailDomain }: MappedEvent): Likeness | null {
  if (sent.context != null || sent['campaignId'] != null) return null;
  if (sent.metadata?.['usageReceipt'] != null) return null;
  const { product, account } = sent;
  return [
    event.eventName,
    event.eventFamily,
    event.familySource,
    event.developerId !== null,
    emailDomain,
    sent.account_domain,
    account?.name,
    account?.domain,
    product?.id,
    product?.name,
    product?.type,
    product?.version,
  ];
}

function equal(one: Likeness, other: Likeness): boolean {
  for (let index = 0; index < one.length; index += 1) {
    if (one[index] !== other[index]) return false;
  }
  return true;
}
