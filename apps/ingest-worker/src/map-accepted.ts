import {
  toAcceptedBody,
  type AcceptedMapping,
  type AcceptedOccurrence,
} from '#contracts/messages/usage-accepted.js';
import { parseInstant } from '#domain/text/instant.js';
import {
  accountKeyOf,
  mapUsageEvent,
  type MappingDirectory,
} from '#domain/usage/map-usage-event.js';
import { domainLists } from '#runtime/domain-lists.js';
import { remember } from '#runtime/remember.js';
import type { ReceivedEvent } from './decode-received.js';

const remembered_accounts_max = 10_000;

const accountKey = remember(remembered_accounts_max, accountKeyOf);

/** An accepted event, ready for the log. */
export interface AcceptedEvent {
  readonly eventId: string;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
  /** The JSON body of the message. */
  readonly body: string;
}

/**
 * Maps the events of one organization with what it has registered now. Events that are alike in
 * what mapping looks at share one mapping, written down once; keep no longer than one group.
 */
export class AcceptedMappings {
  /** Mappings in JSON. */
  private readonly known = new Map<string, string>();

  constructor(private readonly directory: MappingDirectory) {}

  /** The accepted event: the received one, mapped. */
  toAccepted(received: ReceivedEvent, devKey: string): AcceptedEvent {
    const occurrence = toOccurrence(received, devKey);
    const { eventId, receivedAt } = occurrence;
    return { eventId, receivedAt, body: toAcceptedBody(occurrence, this.mappingOf(received)) };
  }

  private mappingOf(received: ReceivedEvent): string {
    const likeness = likenessOf(received);
    let mapping = this.known.get(likeness);
    if (mapping === undefined) {
      mapping = JSON.stringify(toMapping(received, this.directory));
      this.known.set(likeness, mapping);
    }
    return mapping;
  }
}

/** Equal for events of one organization to which mapping gives the same answer. */
function likenessOf({ message, name }: ReceivedEvent): string {
  const { event } = message;
  const { attribution } = event.context ?? {};
  // Names and families are of a closed alphabet; what senders write freely carries its length.
  return (
    `${name.eventName} ${name.eventFamily} ${message.keyProductId ?? ''}` +
    part(message.emailDomain) +
    part(event.account_domain) +
    part(event.account?.domain) +
    part(event.product?.id) +
    part(event.product?.name) +
    part(attribution?.campaignId) +
    part(attribution?.source)
  );
}

function part(text: string | null | undefined): string {
  return text == null ? ' -' : ` ${text.length}:${text}`;
}

function toMapping(
  { message, name, claim }: ReceivedEvent,
  directory: MappingDirectory,
): AcceptedMapping {
  const { event } = message;
  const mapping = mapUsageEvent(
    {
      ...name,
      keyProductId: message.keyProductId,
      hasDeveloperId: event.developer_id != null,
      emailDomain: message.emailDomain,
      sent: event,
    },
    directory,
    domainLists,
  );
  const accountDomain = mapping.account.domain;
  return {
    organizationId: claim.organizationId,
    productId: mapping.product.id,
    eventName: name.eventName,
    eventFamily: name.eventFamily,
    accountKey: accountDomain === null ? null : accountKey(accountDomain),
    accountDomain,
    campaignId: mapping.campaign?.campaignId ?? null,
    campaignSource: mapping.campaign?.source ?? null,
    evidence: directory.evidence,
  };
}

function toOccurrence({ message, claim }: ReceivedEvent, devKey: string): AcceptedOccurrence {
  const { event } = message;
  // The claim's time, so that every delivery of an event has the same one.
  const receivedAt =
    claim.receivedAt === parseInstant(message.receivedAt)
      ? inUtc(message.receivedAt)
      : new Date(claim.receivedAt).toISOString();
  return {
    eventId: claim.eventId,
    devKey,
    occurredAt: event.occurredAt == null ? receivedAt : inUtc(event.occurredAt),
    receivedAt,
    tokensConsumed: event.tokens_consumed ?? null,
    creditCents: event.credit_cents ?? null,
    latencyMs: event.latency_ms ?? null,
    retryCount: event.retry_count ?? null,
    errorCount: event.error_count ?? null,
  };
}

// Of an instant of 24 characters that ends in Z nothing is left to convert.
function inUtc(instant: string): string {
  const canonical = instant.length === 24 && instant.endsWith('Z');
  return canonical ? instant : new Date(parseInstant(instant)!).toISOString();
}
