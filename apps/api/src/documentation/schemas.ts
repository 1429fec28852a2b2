import { compileContract } from '#contracts/compile-contract.js';
import { UsageTrackingEventDto } from '#contracts/usage/usage-tracking-event.dto.js';
import { error_catalogue } from '#domain/errors.js';
import type { JsonSchema } from '../http/endpoint.js';

const text = { type: 'string' } as const;
const count = { type: 'integer', minimum: 0 } as const;
const time = { type: 'string', format: 'date-time' } as const;
const uuid = { type: 'string', format: 'uuid' } as const;
const flag = { type: 'boolean' } as const;

const open_formats: Readonly<Record<string, string>> = {
  instant: 'date-time',
  'email-address': 'email',
};

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

/** An object whose named properties are all there unless `optional` follows; others may be. */
function object(
  properties: Readonly<Record<string, JsonSchema>>,
  optional: Readonly<Record<string, JsonSchema>> = {},
): JsonSchema {
  return {
    type: 'object',
    required: Object.keys(properties),
    properties: { ...properties, ...optional },
  };
}

/** A reference to one of `component_schemas`. */
export function schemaOf(name: keyof typeof component_schemas): JsonSchema {
  return { $ref: `#/components/schemas/${name}` };
}

const code = { type: 'string', enum: Object.keys(error_catalogue) } as const;

const finding = object(
  { code, detail: text },
  { pointer: text, parameter: text, suggestion: text },
);

const mapping = object({
  eventName: text,
  eventFamily: text,
  familySource: { type: 'string', enum: ['catalog', 'request', 'unassigned'] },
  product: { type: 'object' },
  account: { type: 'object' },
  campaign: { type: ['object', 'null'] },
  identity: object({ developer: { type: 'string', enum: ['id', 'email', 'id+email'] } }),
  usageReceipt: { type: ['object', 'null'] },
  evidence: text,
  nextFixes: listOf({ type: 'object' }),
});

const ignored = object({ tracked: { const: false }, ignored: { const: true }, reason: text });

/** Contracts of what is sent and answered, under the names they have in `/openapi.json`. */
export const component_schemas = {
  UsageTrackingEvent: toOpenApi(compileContract(UsageTrackingEventDto).schema),
  Problem: object(
    {
      type: { type: 'string', format: 'uri-reference' },
      title: text,
      status: { type: 'integer' },
      detail: text,
      instance: text,
      code,
      requestId: text,
      errors: listOf(finding),
    },
    { maximum: count, policy: text, limit: count, eventId: uuid, changedFields: listOf(text) },
  ),
  EventMapping: mapping,
  TrackedEvent: object(
    {
      tracked: { const: true },
      eventId: uuid,
      duplicate: flag,
      ignored: { const: false },
      occurredAt: time,
      receivedAt: time,
      mapping,
    },
    { occurredAtSource: { type: 'string', enum: ['request', 'received'] } },
  ),
  IgnoredEvent: ignored,
  BatchAnswer: object({
    tracked: flag,
    received: count,
    stored: count,
    duplicates: count,
    ignored: count,
    results: listOf(object({ index: count, status: { type: 'integer' }, tracked: flag })),
  }),
  DryRunAnswer: object(
    { accepted: flag, stored: { const: false }, ignored: flag, mapping },
    { idempotency: { type: 'string', enum: ['new', 'duplicate', 'conflict', 'none'] } },
  ),
  AdoptionRow: object({
    rank: orNull(count),
    tool: { type: 'object' },
    status: { type: 'string', enum: ['published', 'insufficient_data', 'missing'] },
    score: { type: ['object', 'null'] },
    metrics: { type: ['object', 'null'] },
    confidence: { type: 'object' },
    evidence: listOf({ type: 'object' }),
  }),
  AdoptionPage: object({
    schemaVersion: { const: 'service-adoption-v1' },
    period: { type: 'string', enum: ['7d', '30d', '90d'] },
    window: orNull(object({ from: time, to: time })),
    epoch: orNull(count),
    publishedAt: orNull(time),
    rows: listOf({ $ref: '#/components/schemas/AdoptionRow' }),
    total: count,
    suppressed: count,
    methodology: { type: 'object' },
    rateLimit: object({ policy: text, limit: count, unit: text, windowSeconds: count }),
  }),
  Readiness: object({
    ready: flag,
    checks: { type: 'object', additionalProperties: object({ up: flag, detail: text }) },
  }),
} as const satisfies Readonly<Record<string, JsonSchema>>;

/** Our own formats are refinements of well-known ones, which other programs understand. */
function toOpenApi(schema: unknown): JsonSchema {
  const text = JSON.stringify(schema, (name, value: unknown) =>
    name === 'format' && typeof value === 'string' ? (open_formats[value] ?? value) : value,
  );
  return JSON.parse(text) as JsonSchema;
}
