import { normaliseEmail, type IdentityHashes } from '../identity.js';
import type { SentUsageEvent } from '../sent-usage-event.js';
import { event_fields, type SchemaFields } from './schema-fields.js';

/** Whom an event names, in the form in which the sender wrote it. */
export interface NamedIdentity {
  readonly developerId: string | null;
  readonly userId: string | null;
  readonly email: string | null;
}

/** The organization within which developer ids mean something, and the hashes to mark them with. */
export interface MaskingScope {
  readonly organizationId: string;
  readonly hashes: IdentityHashes;
}

const hash_characters = 16;
/** From here on a developer id is replaced wherever it occurs, also inside a longer word. */
const unmistakable_characters_min = 8;
/** Shorter ids than this are replaced only where they are the whole text. */
const embedded_characters_min = 4;

/**
 * An e-mail address in running text, also with its `@` percent-encoded as in a query string. Every
 * repetition is bounded, so that no text makes the search slow.
 */
const email_address =
  /[\p{L}\d._%+'-]{1,64}(?:@|%40)(?:[\p{L}\d](?:[\p{L}\d-]{0,61}[\p{L}\d])?\.){1,8}\p{L}{2,24}/gu;

/** Replaces e-mail addresses everywhere, and developer ids where `ids` is set. */
export interface IdentityMask {
  (text: string, ids: boolean): string;
}

/**
 * Replaces every e-mail address by `[email:…]` and the sender's own developer and user id by
 * `[developer:…]`, each with 16 digits of its keyed hash, so that equal texts stay equal and
 * different ones different.
 */
export function identityMask(identity: NamedIdentity, scope: MaskingScope): IdentityMask {
  const emails = emailMask(identity.email, scope);
  const ids = [identity.developerId, identity.userId].filter((id) => id !== null);
  const developers = ids.map((id) => developerMask(id, scope));
  return (text, withIds) => {
    const masked = emails(text);
    if (!withIds) return masked;
    return developers.reduce((rest, mask) => outsideMarks(rest, mask), masked);
  };
}

const mark = /(\[(?:email|developer):[0-9a-f]{16}\])/;

// A mark stays a mark, whatever ids are made of.
function outsideMarks(text: string, mask: (part: string) => string): string {
  if (!text.includes('[')) return mask(text);
  return text
    .split(mark)
    .map((part, index) => (index % 2 === 1 ? part : mask(part)))
    .join('');
}

function emailMask(own: string | null, { hashes }: MaskingScope): (text: string) => string {
  const mark = (address: string) => {
    const email = normaliseEmail(address.replace('%40', '@'));
    return `[email:${hashes.email(email).slice(0, hash_characters)}]`;
  };
  return (text) => {
    if (!text.includes('@') && !text.includes('%40')) return text;
    // Addresses of rare forms are known only because the sender named one as its e-mail.
    const known = own === null ? text : text.replaceAll(own, mark);
    return known.replace(email_address, mark);
  };
}

function developerMask(
  id: string,
  { organizationId, hashes }: MaskingScope,
): (text: string) => string {
  const hash = hashes.developer(organizationId, id);
  const mark = `[developer:${hash.slice(0, hash_characters)}]`;
  if (id.length < embedded_characters_min) return (text) => (text === id ? mark : text);
  if (id.length >= unmistakable_characters_min) return (text) => text.replaceAll(id, () => mark);
  const literal = id.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const word = new RegExp(`(?<![\\p{L}\\d])${literal}(?![\\p{L}\\d])`, 'gu');
  return (text) => (text.includes(id) ? text.replace(word, () => mark) : text);
}

/** Whether a text may hold the id, by the same rules; the answer true is to be looked at again. */
export function mayHoldId(text: string, id: string): boolean {
  if (id.length < embedded_characters_min) return text === id;
  return text.length >= id.length && text.includes(id);
}

/** The event with every identity outside its own fields masked, names of properties included. */
export function withMaskedIdentities(
  sent: SentUsageEvent,
  identity: NamedIdentity,
  mask: IdentityMask,
): SentUsageEvent {
  const numbers = [identity.developerId, identity.userId].filter(
    (id) => id !== null && id.length >= embedded_characters_min,
  );
  const masked = (value: unknown, withIds: boolean, fields: SchemaFields | null): unknown => {
    if (typeof value === 'string') return mask(value, withIds);
    if (typeof value === 'number' && numbers.includes(String(value))) {
      return mask(String(value), true);
    }
    if (Array.isArray(value)) return value.map((item) => masked(item, true, null));
    if (typeof value !== 'object' || value === null) return value;
    return maskedMembers(value, fields);
  };
  const maskedMembers = (object: object, fields: SchemaFields | null): Record<string, unknown> => {
    // A property called __proto__ stays a property.
    const copy = Object.create(null) as Record<string, unknown>;
    for (const [name, member] of Object.entries(object)) {
      if (fields?.names.has(name) !== true) copy[mask(name, true)] = masked(member, true, null);
      else if (fields.whole.has(name)) copy[name] = member;
      else copy[name] = masked(member, !fields.naming.has(name), fields.inner.get(name) ?? null);
    }
    return copy;
  };
  return maskedMembers(sent, event_fields);
}
