import { compileContract } from '#contracts/compile-contract.js';
import { UsageTrackingEventDto } from '#contracts/usage/usage-tracking-event.dto.js';
import { error_catalogue } from '#domain/errors.js';
import { evidence_labels, mappedLabel } from '#domain/evidence.js';
import type { JsonSchema } from '../http/endpoint.js';
import { adoption_schemas } from './adoption-schemas.js';
import { count, flag, listOf, object, oneOf, text, time, uuid } from './schema-parts.js';

const open_formats: Readonly<Record<string, string>> = {
  instant: 'date-time',
  'email-address': 'email',
};

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
  evidence: oneOf(evidence_labels.map(mappedLabel)),
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
    {
      eventId: uuid,
      firstReceivedAt: time,
      changedFields: listOf(text),
      findings: count,
      index: count,
      position: count,
      maximum: count,
      policy: text,
      limit: count,
      windowSeconds: count,
    },
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
  ...adoption_schemas,
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
