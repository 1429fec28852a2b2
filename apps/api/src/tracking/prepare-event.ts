import { compileContract } from '#contracts/compile-contract.js';
import { toReceivedBody } from '#contracts/messages/usage-received.js';
import { UsageTrackingEventDto } from '#contracts/usage/usage-tracking-event.dto.js';
import type { Claim } from '#domain/claims/claim.js';
import type { Finding } from '#domain/errors.js';
import { uuidv7 } from '#domain/text/uuidv7.js';
import { parseInstant } from '#domain/text/instant.js';
import { eventIdOf } from '#domain/usage/event-id.js';
import { emailDomainOf, type IdentityHashes } from '#domain/usage/identity.js';
import type { EventMapping, MappingDirectory } from '#domain/usage/map-usage-event.js';
import { policyVerdict } from '#domain/usage/product-policy.js';
import { readUsageEvent, type UsageEvent } from '#domain/usage/read-usage-event.js';
import type { SentUsageEvent } from '#domain/usage/sent-usage-event.js';
import type { LogRecordInput } from '#event-log/event-log.js';
import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import type { KnownMappings } from './known-mappings.js';
import type { TextArena } from './text-arena.js';
import { writeDown, type RefusedEvent, type WrittenEvent } from './write-down.js';

const contract = compileContract(UsageTrackingEventDto);

/** What is the same for all events of one request. */
export interface Reception {
  readonly principal: TrackingPrincipal;
  readonly directory: MappingDirectory;
  readonly hashes: IdentityHashes;
  readonly mappings: KnownMappings;
  /** Where records are kept until they are stored; null where they are few. */
  readonly arena: TextArena | null;
  /** Epoch milliseconds, and the same as ISO 8601. */
  readonly receivedAt: number;
  readonly receivedAtText: string;
  readonly ageMsMax: number;
  readonly storing: boolean;
  readonly traceparent: string | null;
}

/** A valid event: the claim it makes on its id, and what the answer says of it. */
export interface ValidEvent {
  readonly claim: Claim;
  /** False for an event of a product key without an idempotency key: it has a random id. */
  readonly repeatable: boolean;
  /** When this request came, ISO 8601. */
  readonly receivedAtText: string;
  /** As sent, in UTC; null when the client gave none. */
  readonly occurredAt: string | null;
  readonly mapping: EventMapping;
}

/** One that may be stored. */
export interface PreparedEvent extends ValidEvent {
  readonly kind: 'prepared';
  /** The body of its message. */
  readonly body: LogRecordInput['value'];
  readonly traceparent: string | null;
}

/** One that a policy of its product keeps from being stored, unless it was before. */
export interface IgnoredEvent extends ValidEvent {
  readonly kind: 'ignored';
  readonly reason: string;
  readonly detail: string;
}

export type ExaminedEvent = PreparedEvent | IgnoredEvent | RefusedEvent;

/** Stands for an event of which nothing could be read but that it is there. */
export class UnreadableEvent {
  constructor(readonly finding: Finding) {}
}

/**
 * Everything that is decided about one event before it is written: shape, rules, identity hashes,
 * canonical form, mapping, policy and id. Dry runs and writes share it.
 */
export function prepareEvent(sent: unknown, reception: Reception): ExaminedEvent {
  if (sent instanceof UnreadableEvent) return { kind: 'refused', findings: [sent.finding] };
  if (!contract.accepts(sent)) return { kind: 'refused', findings: contract.check(sent, '') };
  const { principal, directory, hashes } = reception;
  const verdict = readUsageEvent(sent as SentUsageEvent, {
    keyKind: principal.productId === null ? 'organization' : 'product',
    storing: reception.storing,
    receivedAt: reception.receivedAt,
    ageMsMax: reception.ageMsMax,
  });
  if (verdict.kind === 'refused') return verdict;
  const { event } = verdict;
  const written = writeDown(event, principal.organizationId, hashes);
  if (written.kind === 'refused') return written;
  const emailDomain = event.email === null ? null : emailDomainOf(event.email);
  const mapping = reception.mappings.mappingOf({
    event,
    sent: written.sent,
    emailDomain,
    receivedAt: reception.receivedAt,
  });
  const policy = policyVerdict(
    { productId: mapping.product.id, eventName: event.eventName, sent: event.sent },
    directory.policies,
  );
  const claim = toClaim(event, written, reception);
  const repeatable = event.idempotencyKey !== null;
  const occurredAt = event.sent.occurredAt == null ? null : inUtc(event.sent.occurredAt);
  const { receivedAtText, traceparent } = reception;
  if (policy.kind === 'ignored') {
    const { reason, detail } = policy;
    return {
      kind: 'ignored',
      reason,
      detail,
      claim,
      repeatable,
      receivedAtText,
      occurredAt,
      mapping,
    };
  }
  const body = toBody({ claim, written, emailDomain }, reception);
  return {
    kind: 'prepared',
    claim,
    repeatable,
    body,
    traceparent,
    receivedAtText,
    occurredAt,
    mapping,
  };
}

function toClaim(
  event: UsageEvent,
  { canonical }: WrittenEvent,
  { principal, receivedAt }: Reception,
): Claim {
  const { organizationId } = principal;
  return {
    eventId:
      event.idempotencyKey === null ? uuidv7() : eventIdOf(organizationId, event.idempotencyKey),
    organizationId,
    payloadHash: canonical.payloadHash,
    fieldHashes: canonical.fieldHashes,
    receivedAt,
  };
}

// What clients send is nearly always in the form of the answer already.
function inUtc(instant: string): string {
  const canonical = instant.length === 24 && instant.endsWith('Z');
  return canonical ? instant : new Date(parseInstant(instant)!).toISOString();
}

interface AcceptedEvent {
  readonly claim: Claim;
  readonly written: WrittenEvent;
  readonly emailDomain: string | null;
}

function toBody(accepted: AcceptedEvent, reception: Reception): LogRecordInput['value'] {
  const { claim, written, emailDomain } = accepted;
  const { principal, receivedAtText: receivedAt } = reception;
  const body = toReceivedBody(
    {
      eventId: claim.eventId,
      organizationId: claim.organizationId,
      keyId: principal.keyId,
      keyProductId: principal.productId,
      idempotencyKey: written.idempotencyKey,
      emailDomain,
      receivedAt,
      payloadHash: claim.payloadHash,
      fieldHashes: claim.fieldHashes,
    },
    written.canonical.text,
  );
  return reception.arena?.write(body) ?? body;
}
