import type { Finding } from '#domain/errors.js';
import { event_limits } from '#domain/limits.js';
import { JsonBudgetError } from '#domain/text/canonical-json.js';
import { malformedTexts } from '#domain/text/well-formed.js';
import { canonicalEvent, type CanonicalEvent } from '#domain/usage/canonical-event.js';
import { malformedText, type UsageEvent } from '#domain/usage/read-usage-event.js';
import type { IdentityHashes } from '#domain/usage/identity.js';
import {
  identityMask,
  mayHoldId,
  type MaskingScope,
} from '#domain/usage/screening/identity-masks.js';
import { screenContent } from '#domain/usage/screening/screen-content.js';
import { holdsSecret } from '#domain/usage/screening/secret-values.js';
import type { SentUsageEvent } from '#domain/usage/sent-usage-event.js';

/** An event as it may be stored: identities hashed, or masked where they were repeated. */
export interface WrittenEvent {
  readonly kind: 'written';
  readonly sent: SentUsageEvent;
  readonly canonical: CanonicalEvent;
  /** As the log keeps it: identities in it are masked like everywhere. */
  readonly idempotencyKey: string | null;
}

export interface RefusedEvent {
  readonly kind: 'refused';
  /** Pointers are relative to the event. */
  readonly findings: readonly Finding[];
}

/** Brings an event into its canonical form and refuses what must not be stored. */
export function writeDown(
  event: UsageEvent,
  organizationId: string,
  hashes: IdentityHashes,
): WrittenEvent | RefusedEvent {
  const scope: MaskingScope = { organizationId, hashes };
  const idempotencyKey = maskedKey(event, scope);
  const developer = (id: string) => hashes.developer(organizationId, id);
  const folded = {
    sent: event.sent,
    eventName: event.eventName,
    eventFamily: event.sentFamily,
    developerHash: event.developerId === null ? null : developer(event.developerId),
    userHash: event.userId === null ? null : developer(event.userId),
    emailHash: event.email === null ? null : hashes.email(event.email),
  };
  try {
    const canonical = canonicalEvent(folded);
    const large = sizeFinding(event.sent, canonical);
    if (large !== null) return { kind: 'refused', findings: [large] };
    const malformed = malformedFindings(event.sent, canonical);
    if (malformed.length > 0) return { kind: 'refused', findings: malformed };
    const screening = screenContent(event, canonical.text, scope);
    switch (screening.kind) {
      case 'clean':
        return { kind: 'written', sent: event.sent, canonical, idempotencyKey };
      case 'forbidden':
        return { kind: 'refused', findings: screening.findings };
      case 'masked': {
        const { sent } = screening;
        const masked = canonicalEvent({ ...folded, sent });
        const grown = grownFinding(masked);
        if (grown !== null) return { kind: 'refused', findings: [grown] };
        return { kind: 'written', sent, canonical: masked, idempotencyKey };
      }
    }
  } catch (error) {
    if (!(error instanceof JsonBudgetError)) throw error;
    return { kind: 'refused', findings: [budgetFinding(error)] };
  }
}

/** What the log has for a key that looks like a secret. */
const secret_mark = '[secret]';

// The event id is made from the key as it was sent, so a masked one loses nothing but a name.
function maskedKey(event: UsageEvent, scope: MaskingScope): string | null {
  const { idempotencyKey: key, developerId, userId } = event;
  if (key === null) return null;
  if (holdsSecret(key)) return secret_mark;
  const holds = (id: string | null) => id !== null && mayHoldId(key, id);
  const suspect = key.includes('@') || key.includes('%40') || holds(developerId) || holds(userId);
  if (!suspect) return key;
  return identityMask({ ...event, email: event.sent.email ?? null }, scope)(key, true);
}

/** What the canonical form leaves out, or has shorter than it was sent: ids, keys, nulls. */
const left_out_bytes_max = 12_500;

// A UTF-16 unit takes at most three bytes, so most events need no counting.
function sizeFinding(sent: SentUsageEvent, { text }: CanonicalEvent): Finding | null {
  const { event_bytes_max } = event_limits;
  if (text.length * 3 + left_out_bytes_max <= event_bytes_max) return null;
  const bytes = Buffer.byteLength(JSON.stringify(sent));
  return bytes <= event_bytes_max
    ? null
    : tooLarge(`The event has ${bytes} bytes`, event_bytes_max);
}

// Marks may be much longer than what they stand for.
function grownFinding({ text }: CanonicalEvent): Finding | null {
  const { masked_bytes_max } = event_limits;
  if (text.length * 3 <= masked_bytes_max) return null;
  const bytes = Buffer.byteLength(text);
  if (bytes <= masked_bytes_max) return null;
  const size = `With the developer's id and e-mail replaced by marks it has ${bytes} bytes`;
  return tooLarge(size, masked_bytes_max);
}

function tooLarge(size: string, maximum: number): Finding {
  const detail = `${size}; at most ${maximum} are taken.`;
  return { code: 'event_too_large', pointer: '', detail };
}

// JSON writes half a surrogate pair as an escape, and hardly anything else looks like that.
function malformedFindings(sent: SentUsageEvent, { text }: CanonicalEvent): readonly Finding[] {
  return text.includes('\\ud')
    ? malformedTexts(sent, event_limits.findings_max).map(malformedText)
    : [];
}

function budgetFinding({ refusal }: JsonBudgetError): Finding {
  switch (refusal) {
    case 'too_deep':
      return {
        code: 'event_too_deep',
        pointer: '',
        detail: `The event is nested more than ${event_limits.event_depth_max} levels deep.`,
      };
    case 'too_many_properties':
      return {
        code: 'too_many_properties',
        pointer: '',
        detail: `The event has more than ${event_limits.event_properties_max} properties.`,
      };
  }
}
