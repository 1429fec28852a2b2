import type { EvidenceLabel } from '#domain/evidence.js';
import type { AssignedFamily } from '#domain/usage/event-catalogue.js';

/** Type header (`ce_type`) of the messages in `usage.accepted.v1`. */
export const usage_accepted_type = 'usage.accepted.v1';

/**
 * One event as the clerk judged and mapped it; the JSON body of `usage.accepted.v1`.
 * The log may hold the same `eventId` twice: consumers collapse by it.
 */
export interface UsageAccepted {
  readonly eventId: string;
  readonly organizationId: string;
  /** Null while the product is not registered (`unresolved`). */
  readonly productId: string | null;
  readonly eventName: string;
  readonly eventFamily: AssignedFamily;
  /** Random 64-bit key of the developer, as a decimal string; no identifier leads back from it. */
  readonly devKey: string;
  /** 64-bit key of the account's registrable domain, as a decimal string. */
  readonly accountKey: string | null;
  readonly accountDomain: string | null;
  readonly campaignId: string | null;
  readonly campaignSource: string | null;
  readonly evidence: EvidenceLabel;
  /** ISO 8601 UTC with milliseconds, like every time here. */
  readonly occurredAt: string;
  readonly receivedAt: string;
  readonly tokensConsumed: number | null;
  readonly creditCents: number | null;
  readonly latencyMs: number | null;
  readonly retryCount: number | null;
  readonly errorCount: number | null;
}

/** The part of an accepted event that is decided by mapping and equal for many events. */
export type AcceptedMapping = Pick<
  UsageAccepted,
  | 'organizationId'
  | 'productId'
  | 'eventName'
  | 'eventFamily'
  | 'accountKey'
  | 'accountDomain'
  | 'campaignId'
  | 'campaignSource'
  | 'evidence'
>;

/** The part that each event has of its own. */
export type AcceptedOccurrence = Omit<UsageAccepted, keyof AcceptedMapping>;

/**
 * The message body around a mapping that was written down once (`JSON.stringify`) for all events
 * that share it. Ids, keys and times are put in quotes as they are: they hold nothing to escape.
 */
export function toAcceptedBody(event: AcceptedOccurrence, mappingJson: string): string {
  return (
    `{"eventId":"${event.eventId}",${mappingJson.slice(1, -1)},"devKey":"${event.devKey}",` +
    `"occurredAt":"${event.occurredAt}","receivedAt":"${event.receivedAt}",` +
    `"tokensConsumed":${event.tokensConsumed},"creditCents":${event.creditCents},` +
    `"latencyMs":${event.latencyMs},"retryCount":${event.retryCount},` +
    `"errorCount":${event.errorCount}}`
  );
}
