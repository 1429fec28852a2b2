import { parseInstant } from '#domain/text/instant.js';
import {
  mapUsageEvent,
  type EventMapping,
  type MappingDirectory,
} from '#domain/usage/map-usage-event.js';
import type { UsageEvent } from '#domain/usage/read-usage-event.js';
import type { SentUsageEvent } from '#domain/usage/sent-usage-event.js';
import { domainLists } from '#runtime/domain-lists.js';

/** The mappings of one request: events that are alike in what mapping looks at share one. */
export class RequestMappings {
  private readonly known = new Map<string, EventMapping>();

  constructor(
    private readonly directory: MappingDirectory,
    private readonly keyProductId: string | null,
    /** Epoch milliseconds. */
    private readonly receivedAt: number,
  ) {}

  /** `sent`: the event as it will be stored. */
  mappingOf(event: UsageEvent, sent: SentUsageEvent, emailDomain: string | null): EventMapping {
    const likeness = likenessOf(event, sent, emailDomain);
    const known = likeness === null ? undefined : this.known.get(likeness);
    if (known !== undefined) return known;
    const mappable = {
      eventName: event.eventName,
      eventFamily: event.eventFamily,
      familySource: event.familySource,
      keyProductId: this.keyProductId,
      hasDeveloperId: event.developerId !== null,
      emailDomain,
      occurredAt: sent.occurredAt == null ? this.receivedAt : parseInstant(sent.occurredAt),
      sent,
    };
    const mapping = mapUsageEvent(mappable, this.directory, domainLists);
    if (likeness !== null) this.known.set(likeness, mapping);
    return mapping;
  }
}

// Campaigns depend on the time of the event and receipts on much of it: such events are mapped
// each by itself.
function likenessOf(
  event: UsageEvent,
  sent: SentUsageEvent,
  emailDomain: string | null,
): string | null {
  if (sent.context != null || sent['campaignId'] != null) return null;
  if (sent.metadata?.['usageReceipt'] != null) return null;
  const { product, account } = sent;
  const parts = [
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
  return JSON.stringify(parts);
}
