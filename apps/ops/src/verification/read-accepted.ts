import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import { parseInstant } from '#domain/text/instant.js';
import type { LogRecord } from '#event-log/event-log.js';

/** What an accepted record says that can be compared. */
export interface AcceptedRecord {
  readonly eventId: string;
  readonly devKey: string;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly occurredAt: number;
}

/** Null when the record cannot be read. */
export function readAccepted({ value }: LogRecord): AcceptedRecord | null {
  try {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    const message = JSON.parse(bytes.toString('utf8')) as Partial<UsageAccepted> | null;
    const { eventId, devKey, receivedAt, occurredAt } = message ?? {};
    if (typeof eventId !== 'string' || typeof devKey !== 'string') return null;
    const received = parseInstant(String(receivedAt));
    const occurred = parseInstant(String(occurredAt));
    if (received === null || occurred === null) return null;
    return { eventId, devKey, receivedAt: received, occurredAt: occurred };
  } catch {
    return null;
  }
}
