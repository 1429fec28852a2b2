import type { Finding } from '../errors.js';
import { event_limits } from '../limits.js';
import { parseInstant } from '../text/instant.js';
import type { AssignedFamily } from './event-catalogue.js';
import { nameEvent, type FamilySource } from './event-name.js';
import { normaliseEmail } from './identity.js';
import type { SentUsageEvent } from './sent-usage-event.js';

/** Who sends, when it arrived, and what is asked of the event. */
export interface ReadingRules {
  /** An organization key needs `product` and, to store, an idempotency key (spec 4.8.2). */
  readonly keyKind: 'organization' | 'product';
  /** Dry runs may omit the idempotency key. */
  readonly storing: boolean;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly ageMsMax: number;
}

/** The event's own statements, aliases folded. */
export interface UsageEvent {
  readonly sent: SentUsageEvent;
  readonly eventName: string;
  readonly eventFamily: AssignedFamily;
  readonly familySource: FamilySource;
  /** The family as it was sent, if it was. */
  readonly sentFamily: string | null;
  readonly idempotencyKey: string | null;
  readonly developerId: string | null;
  /** `userId` where it names somebody else than `developer_id` does. */
  readonly userId: string | null;
  /** Normalised. */
  readonly email: string | null;
}

export type ReadVerdict =
  | { readonly kind: 'read'; readonly event: UsageEvent }
  | { readonly kind: 'refused'; readonly findings: readonly Finding[] };

/**
 * Folds the aliases of one event and checks the rules of specification 4.8 that need no store.
 * Every finding is reported, not only the first; pointers are relative to the event.
 */
export function readUsageEvent(sent: SentUsageEvent, rules: ReadingRules): ReadVerdict {
  const findings: Finding[] = [];
  const fold = (first: keyof SentUsageEvent, second: keyof SentUsageEvent): string | null => {
    const [one, other] = [textOf(sent[first]), textOf(sent[second])];
    if (one !== null && other !== null && one !== other) {
      findings.push({
        code: 'conflicting_aliases',
        pointer: `/${second}`,
        detail: `${first} and ${second} are two spellings of one field but differ; send one.`,
      });
    }
    return one ?? other;
  };
  const sentFamily = fold('event_family', 'eventFamily');
  const developerId = fold('developer_id', 'developerId');
  const idempotencyKey = fold('idempotencyKey', 'event_id');
  const userId = textOf(sent.userId);
  const email = textOf(sent.email);
  const name = nameEvent(sent, sentFamily);
  if (name.kind === 'refused') findings.push(name.finding);
  findings.push(
    ...missingParts(sent, rules, {
      developer: developerId ?? userId ?? email,
      idempotencyKey,
    }),
  );
  findings.push(...malformedIds(sent), ...timeFindings(sent, rules));
  if (findings.length > 0 || name.kind === 'refused') return { kind: 'refused', findings };
  const event: UsageEvent = {
    sent,
    eventName: name.eventName,
    eventFamily: name.eventFamily,
    familySource: name.familySource,
    sentFamily,
    idempotencyKey,
    developerId: developerId ?? userId,
    userId: userId === (developerId ?? userId) ? null : userId,
    email: email === null ? null : normaliseEmail(email),
  };
  return { kind: 'read', event };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value : null;
}

function missingParts(
  sent: SentUsageEvent,
  rules: ReadingRules,
  found: {
    readonly developer: string | null;
    readonly idempotencyKey: string | null;
  },
): Finding[] {
  const findings: Finding[] = [];
  if (found.developer === null) {
    findings.push({
      code: 'missing_developer',
      pointer: '/developer_id',
      detail: 'Every event needs developer_id or email; send both when you have them.',
    });
  }
  if (rules.keyKind === 'product') return findings;
  if (textOf(sent.product?.id) === null && textOf(sent.product?.name) === null) {
    findings.push({
      code: 'missing_product',
      pointer: '/product',
      detail: 'With an organization tracking key, product needs an id or a name.',
    });
  }
  if (rules.storing && found.idempotencyKey === null) {
    findings.push({
      code: 'missing_idempotency_key',
      pointer: '/idempotencyKey',
      detail: 'With an organization tracking key, a stored event needs idempotencyKey or event_id.',
    });
  }
  return findings;
}

const id_fields = ['developer_id', 'developerId', 'userId', 'idempotencyKey', 'event_id'] as const;

/** Half a surrogate pair in a text, as a finding. */
export function malformedText(pointer: string): Finding {
  const detail = 'This is not well-formed Unicode: it holds half a surrogate pair.';
  return { code: 'invalid_field', pointer, detail };
}

// They are hashed as UTF-8, which has one form for all halves: two such ids would be one.
function malformedIds(sent: SentUsageEvent): Finding[] {
  const malformed = id_fields.filter((name) => sent[name]?.isWellFormed() === false);
  return malformed.map((name) => malformedText(`/${name}`));
}

function timeFindings(sent: SentUsageEvent, rules: ReadingRules): Finding[] {
  if (typeof sent.occurredAt !== 'string') return [];
  const occurredAt = parseInstant(sent.occurredAt);
  const pointer = '/occurredAt';
  if (occurredAt === null) {
    return [
      {
        code: 'invalid_field',
        pointer,
        detail: 'occurredAt is not an ISO 8601 time.',
      },
    ];
  }
  if (occurredAt > rules.receivedAt + event_limits.future_ms_max) {
    return [
      {
        code: 'occurred_in_future',
        pointer,
        detail: 'occurredAt lies over 24 hours ahead of us.',
      },
    ];
  }
  if (occurredAt < rules.receivedAt - rules.ageMsMax) {
    const days = Math.floor(rules.ageMsMax / 86_400_000);
    return [
      {
        code: 'too_old',
        pointer,
        detail: `occurredAt is older than the ${days} days we keep.`,
      },
    ];
  }
  return [];
}
