import type { ErrorCode } from '#domain/errors.js';
import type { Endpoint, EndpointAnswer, EndpointParameter } from '../../http/endpoint.js';
import { schemaOf } from '../schemas.js';

const json = 'application/json';
const lines = 'application/x-ndjson';

const shared = {
  method: 'POST',
  tag: 'Usage tracking',
  access: 'trackingKey',
  policy: 'tracking',
  crossOrigin: false,
} as const;

const event_problems: readonly ErrorCode[] = [
  'invalid_json',
  'invalid_body',
  'invalid_event',
  'invalid_field',
  'missing_event_name',
  'malformed_event_name',
  'unknown_event_name',
  'event_family_mismatch',
  'event_type_mismatch',
  'conflicting_aliases',
  'missing_developer',
  'missing_product',
  'occurred_in_future',
  'too_old',
  'event_too_large',
  'event_too_deep',
  'too_many_properties',
  'forbidden_content',
];

const door_problems: readonly ErrorCode[] = [
  'missing_token',
  'invalid_token',
  'placeholder_token',
  'wrong_token_kind',
  'key_used_in_browser',
  'invalid_signature',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'unsupported_encoding',
  'rate_limited',
  'internal_error',
  'overloaded',
  'not_ready',
];

const storing_problems: readonly ErrorCode[] = [
  'missing_idempotency_key',
  'idempotency_conflict',
  'store_uncertain',
];

const example = {
  event_name: 'FIRST_API_CALL',
  developer_id: 'developer-1',
  account_domain: 'customer.example',
  product: { id: 'code-search' },
  occurredAt: '2026-05-22T10:00:00Z',
  idempotencyKey: 'order-4711',
};

const one_event = { types: [json], schema: schemaOf('UsageTrackingEvent'), example };

const not_stored: EndpointAnswer = {
  description: 'Valid, and ignored by a policy of the product; nothing is stored.',
  type: json,
  schema: schemaOf('IgnoredEvent'),
};

const handling: EndpointParameter = {
  name: 'Prefer',
  in: 'header',
  description: '`handling=lenient` answers for each event; without it a batch is all or nothing.',
  schema: { type: 'string' },
};

const signature: EndpointParameter = {
  name: 'X-Service-Signature',
  in: 'header',
  description:
    'HMAC-SHA-256 of the body as it is sent, under the tracking key; hexadecimal or Base64, also ' +
    'behind `sha256=`. Keys may demand it; a wrong one is always refused.',
  schema: { type: 'string' },
};

/** Specification 4.8. */
export const tracking_endpoints: readonly Endpoint[] = [
  {
    ...shared,
    path: '/api/usage/track',
    summary: 'Store one event',
    description: 'A 2xx alone proves nothing: the event is stored when `tracked` is true.',
    parameters: [signature],
    body: one_event,
    answers: {
      200: {
        description: 'Stored now, or before (`duplicate`).',
        type: json,
        schema: schemaOf('TrackedEvent'),
      },
      202: not_stored,
    },
    problems: [...event_problems, ...storing_problems, ...door_problems],
  },
  {
    ...shared,
    path: '/api/usage/track/batch',
    summary: 'Store many events',
    description: 'Counts as many units of the limit as it has events, at least one.',
    parameters: [handling, signature],
    body: {
      types: [json, lines],
      schema: {
        type: 'object',
        required: ['events'],
        properties: {
          events: { type: 'array', minItems: 1, items: schemaOf('UsageTrackingEvent') },
        },
      },
      example: { events: [example] },
    },
    answers: {
      200: {
        description: 'Every event is stored, now or before, or ignored by a policy.',
        type: json,
        schema: schemaOf('BatchAnswer'),
      },
      202: {
        description: 'Every event is ignored by a policy; nothing is stored.',
        type: json,
        schema: schemaOf('BatchAnswer'),
      },
      207: {
        description: 'Lenient: the events fared differently; each result has its status.',
        type: json,
        schema: schemaOf('BatchAnswer'),
      },
    },
    problems: [
      ...event_problems,
      'empty_batch',
      'batch_too_large',
      ...storing_problems,
      ...door_problems,
    ],
  },
  {
    ...shared,
    path: '/api/usage/track/dry-run',
    summary: 'Say what storing an event would do',
    parameters: [signature],
    body: one_event,
    answers: {
      200: {
        description: 'What tracking would say; nothing is stored.',
        type: json,
        schema: schemaOf('DryRunAnswer'),
      },
      202: {
        description: 'Valid, but a policy of the product says not to track it.',
        type: json,
        schema: schemaOf('DryRunAnswer'),
      },
    },
    problems: [...event_problems, ...door_problems],
  },
];
