import { IsIn } from 'class-validator';
import { event_limits } from '#domain/limits.js';
import { event_families, event_types } from '#domain/usage/event-catalogue.js';
import {
  EmailAddress,
  FreeForm,
  Instant,
  Nested,
  Optional,
  Text,
  WholeNumber,
} from '../field-decorators.js';

const { domain_characters_max, identifier_characters_max, name_characters_max } = event_limits;

/** `product` of an event; specification 2.3. */
export class ProductDto {
  @Optional() @Text(identifier_characters_max) id?: string | null;
  @Optional() @Text(name_characters_max) name?: string | null;
  @Optional() @Text(name_characters_max) type?: string | null;
  @Optional() @Text(name_characters_max) version?: string | null;
}

/** `account` of an event: the customer, not the vendor that sends. */
export class AccountDto {
  @Optional() @Text(name_characters_max) name?: string | null;
  @Optional() @Text(domain_characters_max) domain?: string | null;
}

export class AttributionDto {
  @Optional() @Text(identifier_characters_max) campaignId?: string | null;
  @Optional() @Text(name_characters_max) source?: string | null;
}

export class EventContextDto {
  @Optional() @Nested(() => AttributionDto) attribution?: AttributionDto | null;
}

/**
 * The body of `track` and `dry-run` and an item of `batch`: UsageTrackingEvent of specification
 * 2.3. Extra properties are allowed everywhere. These decorators are the one definition of the
 * shape; the hot path runs the schema compiled from them (`compile-contract.ts`).
 */
export class UsageTrackingEventDto {
  @Optional() @IsIn(event_types) eventType?: string | null;
  @Optional() @Text(name_characters_max) event_name?: string | null;
  @Optional() @IsIn(event_families) eventFamily?: string | null;
  @Optional() @IsIn(event_families) event_family?: string | null;
  @Optional() @Text(identifier_characters_max) developerId?: string | null;
  @Optional() @Text(identifier_characters_max) developer_id?: string | null;
  @Optional() @Text(identifier_characters_max) userId?: string | null;
  @Optional() @EmailAddress() email?: string | null;
  @Optional() @Text(domain_characters_max) account_domain?: string | null;
  @Optional() @Nested(() => ProductDto) product?: ProductDto | null;
  @Optional() @Nested(() => AccountDto) account?: AccountDto | null;
  @Optional() @FreeForm() workflow?: Record<string, unknown> | null;
  @Optional() @FreeForm() workload?: Record<string, unknown> | null;
  @Optional() @Text(name_characters_max) mcp_server?: string | null;
  @Optional() @Text(name_characters_max) mcp_tool?: string | null;
  @Optional() @Text(name_characters_max) agent_framework?: string | null;
  @Optional() @Text(name_characters_max) model_provider?: string | null;
  @Optional() @WholeNumber() tokens_consumed?: number | null;
  @Optional() @WholeNumber() credit_cents?: number | null;
  @Optional() @WholeNumber() latency_ms?: number | null;
  @Optional() @WholeNumber() retry_count?: number | null;
  @Optional() @WholeNumber() error_count?: number | null;
  @Optional() @FreeForm() metadata?: Record<string, unknown> | null;
  @Optional() @Nested(() => EventContextDto) context?: EventContextDto | null;
  @Optional() @Instant() occurredAt?: string | null;
  @Optional() @Text(identifier_characters_max) projectId?: string | null;
  @Optional()
  @Text(event_limits.idempotency_key_characters_max, 1)
  idempotencyKey?: string | null;
  @Optional() @Text(event_limits.idempotency_key_characters_max, 1) event_id?: string | null;
  @Optional() @Text(name_characters_max) source?: string | null;
}
