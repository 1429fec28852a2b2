import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
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

/** The accepted event: the received one, mapped with what is registered now. */
export function toUsageAccepted(
  { message, name, claim }: ReceivedEvent,
  devKey: string,
  directory: MappingDirectory,
): UsageAccepted {
  const { event } = message;
  // The claim's time, so that every delivery of an event has the same one.
  const sentAt = event.occurredAt == null ? null : parseInstant(event.occurredAt);
  const occurredAt = sentAt ?? claim.receivedAt;
  const mapping = mapUsageEvent(
    {
      ...name,
      keyProductId: message.keyProductId,
      hasDeveloperId: event.developer_id != null,
      emailDomain: message.emailDomain,
      occurredAt,
      sent: event,
    },
    directory,
    domainLists,
  );
  const accountDomain = mapping.account.domain;
  return {
    eventId: claim.eventId,
    organizationId: claim.organizationId,
    productId: mapping.product.id,
    eventName: name.eventName,
    eventFamily: name.eventFamily,
    devKey,
    accountKey: accountDomain === null ? null : accountKey(accountDomain),
    accountDomain,
    campaignId: mapping.campaign?.campaignId ?? null,
    campaignSource: mapping.campaign?.source ?? null,
    evidence: directory.evidence,
    occurredAt: new Date(occurredAt).toISOString(),
    receivedAt: new Date(claim.receivedAt).toISOString(),
    tokensConsumed: event.tokens_consumed ?? null,
    creditCents: event.credit_cents ?? null,
    latencyMs: event.latency_ms ?? null,
    retryCount: event.retry_count ?? null,
    errorCount: event.error_count ?? null,
  };
}
