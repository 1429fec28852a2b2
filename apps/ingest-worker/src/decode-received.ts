import type { Claim } from '#domain/claims/claim.js';
import { compileContract } from '#contracts/compile-contract.js';
import { UsageReceivedDto } from '#contracts/messages/usage-received.dto.js';
import { claim_group_header, type UsageReceived } from '#contracts/messages/usage-received.js';
import { parseInstant } from '#domain/text/instant.js';
import { isUuid } from '#domain/text/uuid.js';
import { nameEvent, type NamedEvent } from '#domain/usage/event-name.js';
import { fixed_form_fields } from '#domain/usage/screening/schema-fields.js';
import type { LogRecord } from '#event-log/event-log.js';

const contract = compileContract(UsageReceivedDto);

/** A received record, read back. */
export interface ReceivedEvent {
  readonly kind: 'received';
  readonly record: LogRecord;
  readonly message: UsageReceived;
  /** The claim that holds the id, once it is known; until then what this message would claim. */
  readonly claim: Claim;
  readonly name: NamedEvent;
  /** The claim group that appended the record; null when it names none. */
  readonly claimGroup: string | null;
}

/** A record that no retry will ever make readable. */
export interface UnreadableRecord {
  readonly kind: 'unreadable';
  readonly record: LogRecord;
  readonly reason: 'undecodable' | 'unknown_event_name';
}

/** Reads one record of `usage.received.v1`; whatever is wrong with it is wrong for good. */
export function fromReceivedRecord(record: LogRecord): ReceivedEvent | UnreadableRecord {
  const message = parse(record.value);
  if (message === null) return { kind: 'unreadable', record, reason: 'undecodable' };
  const name = nameEvent(message.event, message.event.event_family ?? null);
  if (name.kind === 'refused') return { kind: 'unreadable', record, reason: 'unknown_event_name' };
  const claim: Claim = {
    eventId: message.eventId,
    organizationId: message.organizationId,
    payloadHash: message.payloadHash,
    fieldHashes: message.fieldHashes,
    receivedAt: parseInstant(message.receivedAt)!,
  };
  return { kind: 'received', record, message, claim, name, claimGroup: claimGroupOf(record) };
}

// Whoever else writes to the topic may write anything.
function claimGroupOf({ headers }: LogRecord): string | null {
  const id = headers[claim_group_header];
  return id !== undefined && isUuid(id) ? id : null;
}

function parse(value: Uint8Array): UsageReceived | null {
  try {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const parsed: unknown = JSON.parse(bytes.toString('utf8'));
    return isReceived(parsed) || isReceived(withoutMarks(parsed))
      ? (parsed as UsageReceived)
      : null;
  } catch {
    return null;
  }
}

const mark = /\[developer:[0-9a-f]{16}\]/;

/**
 * The message without the marks that the first versions put into a time, a type or a count that
 * happened to hold the developer's id: it stays an event, of which that is not known. One without a
 * time occurred when it was received.
 */
function withoutMarks(message: unknown): unknown {
  const { event } = message as { event: Record<string, unknown> };
  for (const name of fixed_form_fields) {
    const value = event[name];
    if (typeof value === 'string' && mark.test(value)) event[name] = null;
  }
  return message;
}

function isReceived(value: unknown): value is UsageReceived {
  if (!contract.accepts(value)) return false;
  const { developer_id, email } = (value as UsageReceived).event;
  return developer_id != null || email != null;
}
