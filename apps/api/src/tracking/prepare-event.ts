import { randomUUID } from 'node:crypto';
import { compileContract } from '#contracts/compile-contract.js';
import { toCloudEventHeaders } from '#contracts/messages/cloud-event.js';
import { toReceivedBody, usage_received_type } from '#contracts/messages/usage-received.js';
import { UsageTrackingEventDto } from '#contracts/usage/usage-tracking-event.dto.js';
import type { Claim } from '#domain/claims/claim.js';
import type { Finding } from '#domain/errors.js';
import { event_limits } from '#domain/limits.js';
import { JsonBudgetError } from '#domain/text/canonical-json.js';
import { parseInstant } from '#domain/text/instant.js';
import { canonicalEvent, type CanonicalEvent } from '#domain/usage/canonical-event.js';
import { eventIdOf } from '#domain/usage/event-id.js';
import { emailDomainOf } from '#domain/usage/identity.js';
import {
  mapUsageEvent,
  type EventMapping,
  type MappingDirectory,
} from '#domain/usage/map-usage-event.js';
import { readUsageEvent, type UsageEvent } from '#domain/usage/read-usage-event.js';
import type { SentUsageEvent } from '#domain/usage/sent-usage-event.js';
import type { LogRecordInput } from '#event-log/event-log.js';
import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import { domainLists } from '#runtime/domain-lists.js';
import type { IdentityHashes } from './identity-hashes.js';

const contract = compileContract(UsageTrackingEventDto);

/** What is the same for all events of one request. */
export interface Reception {
  readonly principal: TrackingPrincipal;
  readonly directory: MappingDirectory;
  readonly hashes: IdentityHashes;
  /** Epoch milliseconds, and the same as ISO 8601. */
  readonly receivedAt: number;
  readonly receivedAtText: string;
  readonly ageMsMax: number;
  readonly storing: boolean;
  readonly traceparent: string | null;
}

/** An event that may be stored: its claim, its log record and what the answer says of it. */
export interface PreparedEvent {
  readonly kind: 'prepared';
  readonly claim: Claim;
  /** False for an event of a product key without an idempotency key: it has a random id. */
  readonly repeatable: boolean;
  readonly record: LogRecordInput;
  /** When this request came, ISO 8601. */
  readonly receivedAtText: string;
  /** As sent, in UTC; null when the client gave none. */
  readonly occurredAt: string | null;
  readonly mapping: EventMapping;
}

export interface RefusedEvent {
  readonly kind: 'refused';
  /** Pointers are relative to the event. */
  readonly findings: readonly Finding[];
}

/**
 * Everything that is decided about one event before it is written: shape, rules, identity hashes,
 * canonical form, id and mapping. Dry runs and writes share it.
 */
export function prepareEvent(sent: unknown, reception: Reception): PreparedEvent | RefusedEvent {
  if (!contract.accepts(sent)) return { kind: 'refused', findings: contract.check(sent, '') };
  const { principal } = reception;
  const verdict = readUsageEvent(sent as SentUsageEvent, {
    keyKind: principal.productId === null ? 'organization' : 'product',
    storing: reception.storing,
    receivedAt: reception.receivedAt,
    ageMsMax: reception.ageMsMax,
  });
  if (verdict.kind === 'refused') return verdict;
  const { event } = verdict;
  const canonical = writeDown(event, reception);
  if ('code' in canonical) return { kind: 'refused', findings: [canonical] };
  const emailDomain = event.email === null ? null : emailDomainOf(event.email);
  const eventId =
    event.idempotencyKey === null
      ? randomUUID()
      : eventIdOf(principal.organizationId, event.idempotencyKey);
  const claim: Claim = {
    eventId,
    organizationId: principal.organizationId,
    payloadHash: canonical.payloadHash,
    fieldHashes: canonical.fieldHashes,
    receivedAt: reception.receivedAt,
  };
  const occurredAt = event.sent.occurredAt == null ? null : inUtc(event.sent.occurredAt);
  return {
    kind: 'prepared',
    claim,
    repeatable: event.idempotencyKey !== null,
    record: toRecord({ claim, event, canonical, emailDomain }, reception),
    receivedAtText: reception.receivedAtText,
    occurredAt,
    mapping: mapUsageEvent(
      {
        ...event,
        keyProductId: principal.productId,
        hasDeveloperId: event.developerId !== null,
        emailDomain,
      },
      reception.directory,
      domainLists,
    ),
  };
}

// What clients send is nearly always in the form of the answer already.
function inUtc(instant: string): string {
  const canonical = instant.length === 24 && instant.endsWith('Z');
  return canonical ? instant : new Date(parseInstant(instant)!).toISOString();
}

function writeDown(event: UsageEvent, reception: Reception): CanonicalEvent | Finding {
  const { hashes, principal } = reception;
  const developer = (id: string | null) =>
    id === null ? null : hashes.developer(principal.organizationId, id);
  try {
    const canonical = canonicalEvent({
      sent: event.sent,
      eventName: event.eventName,
      eventFamily: event.sentFamily,
      developerHash: developer(event.developerId),
      userHash: developer(event.userId),
      emailHash: event.email === null ? null : hashes.email(event.email),
    });
    const bytes = Buffer.byteLength(canonical.text);
    if (bytes <= event_limits.event_bytes_max) return canonical;
    return {
      code: 'event_too_large',
      pointer: '',
      detail: `The event has ${bytes} bytes; at most ${event_limits.event_bytes_max} are taken.`,
    };
  } catch (error) {
    if (!(error instanceof JsonBudgetError)) throw error;
    return budgetFinding(error);
  }
}

function budgetFinding(error: JsonBudgetError): Finding {
  switch (error.refusal) {
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

interface WrittenEvent {
  readonly claim: Claim;
  readonly event: UsageEvent;
  readonly canonical: CanonicalEvent;
  readonly emailDomain: string | null;
}

function toRecord(written: WrittenEvent, reception: Reception): LogRecordInput {
  const { claim, event, canonical, emailDomain } = written;
  const { principal, traceparent, receivedAtText: receivedAt } = reception;
  const body = toReceivedBody(
    {
      eventId: claim.eventId,
      organizationId: claim.organizationId,
      keyId: principal.keyId,
      keyProductId: principal.productId,
      idempotencyKey: event.idempotencyKey,
      emailDomain,
      receivedAt,
      payloadHash: claim.payloadHash.toString('hex'),
      fieldHashes: claim.fieldHashes.toString('base64'),
    },
    canonical.text,
  );
  const headers = toCloudEventHeaders({
    id: claim.eventId,
    type: usage_received_type,
    source: '/api',
    time: receivedAt,
    traceparent,
  });
  return { key: claim.eventId, value: Buffer.from(body), headers };
}
