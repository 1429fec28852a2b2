import { IsIn, IsString, Matches } from 'class-validator';
import { event_limits } from '#domain/limits.js';
import { event_families, event_types } from '#domain/usage/event-catalogue.js';
import { FreeForm, Instant, Nested, Optional, Text, WholeNumber } from '../field-decorators.js';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const hash = /^[0-9a-f]{64}$/;
/** Base64 of at most 192 bytes: four for each of the canonical fields, and room for more. */
const field_hashes = /^(?:[A-Za-z0-9+/]{4}){0,64}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/**
 * Longest text of an event as it is stored: longer than what was sent, by the marks in the place of
 * identities or a domain in ASCII, and bounded by the event.
 */
const stored_characters_max = event_limits.masked_bytes_max;

class ReceivedProductDto {
  @Optional() @Text(stored_characters_max) id?: string | null;
  @Optional() @Text(stored_characters_max) name?: string | null;
  @Optional() @Text(stored_characters_max) type?: string | null;
  @Optional() @Text(stored_characters_max) version?: string | null;
}

class ReceivedAccountDto {
  @Optional() @Text(stored_characters_max) name?: string | null;
  @Optional() @Text(stored_characters_max) domain?: string | null;
}

class ReceivedAttributionDto {
  @Optional() @Text(stored_characters_max) campaignId?: string | null;
  @Optional() @Text(stored_characters_max) source?: string | null;
}

class ReceivedContextDto {
  @Optional() @Nested(() => ReceivedAttributionDto) attribution?: ReceivedAttributionDto | null;
}

/** What the clerk reads of the canonical event in a message. */
export class ReceivedEventDto {
  @Text(event_limits.event_name_characters_max, 2) event_name!: string;
  @Optional() @IsIn(event_types) eventType?: string | null;
  @Optional() @IsIn(event_families) event_family?: string | null;
  @Optional() @IsString() @Matches(hash) developer_id?: string | null;
  @Optional() @IsString() @Matches(hash) userId?: string | null;
  @Optional() @IsString() @Matches(hash) email?: string | null;
  @Optional() @Text(stored_characters_max) account_domain?: string | null;
  @Optional() @Nested(() => ReceivedProductDto) product?: ReceivedProductDto | null;
  @Optional() @Nested(() => ReceivedAccountDto) account?: ReceivedAccountDto | null;
  @Optional() @Nested(() => ReceivedContextDto) context?: ReceivedContextDto | null;
  @Optional() @FreeForm() workload?: Record<string, unknown> | null;
  @Optional() @FreeForm() metadata?: Record<string, unknown> | null;
  @Optional() @WholeNumber() tokens_consumed?: number | null;
  @Optional() @WholeNumber() credit_cents?: number | null;
  @Optional() @WholeNumber() latency_ms?: number | null;
  @Optional() @WholeNumber() retry_count?: number | null;
  @Optional() @WholeNumber() error_count?: number | null;
  @Optional() @Instant() occurredAt?: string | null;
}

/** The shape of a `usage.received.v1` message; whatever has another can never be accepted. */
export class UsageReceivedDto {
  @IsString() @Matches(uuid) eventId!: string;
  @IsString() @Matches(uuid) organizationId!: string;
  @Optional() @IsString() @Matches(uuid) keyProductId?: string | null;
  @Optional() @Text(stored_characters_max) emailDomain?: string | null;
  @Instant() receivedAt!: string;
  @IsString() @Matches(hash) payloadHash!: string;
  @IsString() @Matches(field_hashes) fieldHashes!: string;
  @Nested(() => ReceivedEventDto) event!: ReceivedEventDto;
}
