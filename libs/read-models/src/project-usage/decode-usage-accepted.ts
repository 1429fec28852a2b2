import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import { evidence_labels } from '#domain/evidence.js';
import { parseInstant } from '#domain/text/instant.js';
import { isUuid } from '#domain/text/uuid.js';
import { event_families } from '#domain/usage/event-catalogue.js';

export type DecodedUsage =
  | { readonly kind: 'decoded'; readonly message: UsageAccepted }
  | { readonly kind: 'undecodable'; readonly why: string };

/** Characters of `2026-03-01T10:00:00.000Z`; an instant in UTC has no other form of this length. */
const time_characters = 24;
const decimal = /^(0|[1-9]\d{0,19})$/;
const uint64_max = '18446744073709551615';
const families: ReadonlySet<unknown> = new Set(['unassigned', ...event_families]);
const labels: ReadonlySet<unknown> = new Set(evidence_labels);

type Check = (value: unknown) => boolean;

const isId: Check = (value) => typeof value === 'string' && isUuid(value);
const isText: Check = (value) => typeof value === 'string';
const isTime: Check = (value) =>
  typeof value === 'string' &&
  value.length === time_characters &&
  value.endsWith('Z') &&
  parseInstant(value) !== null;
const isKey: Check = (value) =>
  typeof value === 'string' &&
  decimal.test(value) &&
  (value.length < uint64_max.length || value <= uint64_max);
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);

/** What each column needs of its field; one wrong value would make the store refuse the block. */
const checks: readonly (readonly [keyof UsageAccepted, Check])[] = [
  ['eventId', isId],
  ['organizationId', isId],
  ['productId', orNull(isId)],
  ['eventName', isText],
  ['eventFamily', (value) => families.has(value)],
  ['devKey', isKey],
  ['accountKey', orNull(isKey)],
  ['evidence', (value) => labels.has(value)],
  ['campaignId', orNull(isText)],
  ['campaignSource', orNull(isText)],
  ['occurredAt', isTime],
  ['receivedAt', isTime],
  ['tokensConsumed', orNull(isCount)],
  ['creditCents', orNull(isCount)],
  ['latencyMs', orNull(isCount)],
  ['retryCount', orNull(isCount)],
  ['errorCount', orNull(isCount)],
];

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the value of a `usage.accepted.v1` record; the same bytes always give the same verdict. */
export function decodeUsageAccepted(value: Uint8Array): DecodedUsage {
  let message: unknown;
  try {
    message = JSON.parse(utf8.decode(value));
  } catch {
    return { kind: 'undecodable', why: 'no JSON in UTF-8' };
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message)) {
    return { kind: 'undecodable', why: 'not an object' };
  }
  const fields = message as Record<string, unknown>;
  for (const [field, check] of checks) {
    if (!check(fields[field])) {
      return { kind: 'undecodable', why: `field ${field}` };
    }
  }
  return { kind: 'decoded', message: fields as unknown as UsageAccepted };
}
