import { compileContract } from '#contracts/compile-contract.js';
import { UsageReceivedDto } from '#contracts/messages/usage-received.dto.js';
import type { UsageReceived } from '#contracts/messages/usage-received.js';
import type { Claim } from '#domain/claims/claim.js';
import { parseInstant } from '#domain/text/instant.js';
import { nameEvent } from '#domain/usage/event-name.js';
import type { LogRecord } from '#event-log/event-log.js';
import type { DeveloperHashes } from '#postgres/identities/identity-registry.js';

const contract = compileContract(UsageReceivedDto);

/** What a received record says about its claim, as the clerk reads it. */
export interface ReceivedRecord {
  readonly claim: Claim;
  readonly hashes: DeveloperHashes;
  /** The event has a name that this version knows. */
  readonly named: boolean;
}

/** Null when the record cannot be read. */
export function readReceived({ value }: LogRecord): ReceivedRecord | null {
  const message = parse(value);
  if (message === null) return null;
  const { eventId, organizationId, payloadHash, fieldHashes, event } = message;
  const receivedAt = parseInstant(message.receivedAt)!;
  return {
    claim: { eventId, organizationId, payloadHash, fieldHashes, receivedAt },
    hashes: { developerHash: event.developer_id ?? null, emailHash: event.email ?? null },
    named: nameEvent(event, event.event_family ?? null).kind !== 'refused',
  };
}

function parse(value: Uint8Array): UsageReceived | null {
  try {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    return contract.accepts(parsed) && hasDeveloper(parsed as UsageReceived)
      ? (parsed as UsageReceived)
      : null;
  } catch {
    return null;
  }
}

function hasDeveloper({ event }: UsageReceived): boolean {
  return event.developer_id != null || event.email != null;
}
