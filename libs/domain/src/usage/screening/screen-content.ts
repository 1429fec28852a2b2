import type { Finding } from '../../errors.js';
import type { FreeForm, SentUsageEvent } from '../sent-usage-event.js';
import { forbiddenContent } from './forbidden-content.js';
import { forbidden_names } from './forbidden-names.js';
import {
  identityMask,
  mayHoldId,
  withMaskedIdentities,
  type MaskingScope,
  type NamedIdentity,
} from './identity-masks.js';
import { event_fields, unsearched_fields, type SchemaFields } from './schema-fields.js';
import { holdsSecretWords, holdsTokenSecret, token_characters_min } from './secret-values.js';

/** An event as it was read, with its identity as the sender wrote it. */
export interface ScreenedEvent {
  readonly sent: SentUsageEvent;
  readonly developerId: string | null;
  readonly userId: string | null;
}

export type Screening =
  /** Nothing to object to: the event goes on as it is. */
  | { readonly kind: 'clean' }
  /** The event must not be stored. */
  | { readonly kind: 'forbidden'; readonly findings: readonly Finding[] }
  /** The event repeats an identity outside the identity fields; this is it with marks instead. */
  | { readonly kind: 'masked'; readonly sent: SentUsageEvent };

/** Ids of fewer than four digits are no number to look for. */
const smallest_id = 1000;

const clean: Screening = { kind: 'clean' };

/**
 * Looks for what must not be stored: secrets, prompts, completions and source code are refused,
 * e-mail addresses and the sender's own ids outside the identity fields are masked.
 * `canonicalText`: the canonical form of the event, in which its own identifiers are hashes; that
 * it was made also proves that the event is neither too deep nor too large.
 *
 * A quick look answers for most events; only where it finds a reason is every text searched.
 */
export function screenContent(
  event: ScreenedEvent,
  canonicalText: string,
  scope: MaskingScope,
): Screening {
  if (!isSuspect(event, canonicalText)) return clean;
  const findings = forbiddenContent(event.sent);
  if (findings.length > 0) return { kind: 'forbidden', findings };
  const identity: NamedIdentity = { ...event, email: event.sent.email ?? null };
  const mask = identityMask(identity, scope);
  const masked = withMaskedIdentities(event.sent, identity, mask);
  return JSON.stringify(masked) === JSON.stringify(event.sent)
    ? clean
    : { kind: 'masked', sent: masked };
}

/** False is certain. True for what only looks like something, too. */
export function isSuspect(event: ScreenedEvent, canonicalText: string): boolean {
  if (holdsSecretWords(canonicalText) || canonicalText.includes('%')) return true;
  const { developerId, userId } = event;
  const shortest = Math.min(
    developerId?.length ?? token_characters_min,
    userId?.length ?? token_characters_min,
    token_characters_min,
  );
  return hasSuspect(event.sent, { developerId, userId, shortest }, event_fields);
}

interface Wanted {
  readonly developerId: string | null;
  readonly userId: string | null;
  /** No text below this length is of interest. */
  readonly shortest: number;
}

/** `fields`: what the specification names in the object, if it names anything. */
function hasSuspect(object: object, wanted: Wanted, fields: SchemaFields | null): boolean {
  const top = fields === event_fields;
  for (const name in object) {
    if (forbidden_names.has(name) || name === 'messages') return true;
    const known = fields?.names.has(name) === true;
    if (!known && name.length >= wanted.shortest && isSuspectText(name, wanted)) return true;
    const value = (object as FreeForm)[name];
    if (typeof value === 'string') {
      if (value.length < wanted.shortest || (top && unsearched_fields.has(name))) continue;
      if (holdsTokenSecret(value)) return true;
      const exempt = known && (fields.naming.has(name) || fields.whole.has(name));
      if (!exempt && holdsId(value, wanted)) return true;
    } else if (typeof value === 'number') {
      // Numbers are written out only where an id could be one.
      if (value < smallest_id || (known && fields.whole.has(name))) continue;
      if (holdsId(String(value), wanted)) return true;
    } else if (typeof value === 'object' && value !== null) {
      if (hasSuspect(value, wanted, known ? (fields.inner.get(name) ?? null) : null)) return true;
    }
  }
  return false;
}

function isSuspectText(text: string, wanted: Wanted): boolean {
  return holdsId(text, wanted) || holdsTokenSecret(text);
}

function holdsId(text: string, { developerId, userId }: Wanted): boolean {
  return (
    (developerId !== null && mayHoldId(text, developerId)) ||
    (userId !== null && mayHoldId(text, userId))
  );
}
