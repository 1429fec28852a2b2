import { quoted } from '#domain/text/canonical-json.js';
import type { SentUsageEvent } from '#domain/usage/sent-usage-event.js';

/** Type header (`ce_type`) of the messages in `usage.received.v1`. */
export const usage_received_type = 'usage.received.v1';

/**
 * Header with the id of the claim group that appended a message (UUID). Once the ledger names the
 * group, the claims of all its messages are committed.
 */
export const claim_group_header = 'claim-group';

/** What the door adds around an event. */
export interface ReceivedEnvelope {
  readonly eventId: string;
  readonly organizationId: string;
  readonly keyId: string;
  /** The product that the sender's key implies. */
  readonly keyProductId: string | null;
  readonly idempotencyKey: string | null;
  /** Domain of the e-mail address; the address itself never leaves the door. */
  readonly emailDomain: string | null;
  /** ISO 8601 UTC with milliseconds. */
  readonly receivedAt: string;
  /** SHA-256 of the canonical event, hex. */
  readonly payloadHash: string;
  /** Hashes of the single fields, base64. */
  readonly fieldHashes: string;
}

/**
 * One event as the door took it in; the JSON body of `usage.received.v1`. `event` is the canonical
 * form: aliases folded, `developer_id`, `userId` and `email` replaced by keyed hashes, properties
 * that the specification does not name under `extra`.
 */
export interface UsageReceived extends ReceivedEnvelope {
  readonly event: SentUsageEvent;
}

/** The message body, built around the canonical text so that the event is written down once. */
export function toReceivedBody(envelope: ReceivedEnvelope, canonicalEvent: string): string {
  const { keyProductId, idempotencyKey, emailDomain } = envelope;
  // Ids, hashes and times hold nothing that JSON escapes.
  return (
    `{"eventId":"${envelope.eventId}","organizationId":"${envelope.organizationId}",` +
    `"keyId":"${envelope.keyId}","keyProductId":${quotedOrNull(keyProductId)},` +
    `"idempotencyKey":${quotedOrNull(idempotencyKey)},` +
    `"emailDomain":${quotedOrNull(emailDomain)},"receivedAt":"${envelope.receivedAt}",` +
    `"payloadHash":"${envelope.payloadHash}","fieldHashes":"${envelope.fieldHashes}",` +
    `"event":${canonicalEvent}}`
  );
}

function quotedOrNull(text: string | null): string {
  return text === null ? 'null' : quoted(text);
}
