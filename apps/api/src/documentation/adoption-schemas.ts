import { adoption_schema_version } from '#domain/adoption/adoption-row.js';
import { adoption_periods } from '#domain/adoption/period.js';
import { evidence_labels } from '#domain/evidence.js';
import type { JsonSchema } from '../http/endpoint.js';
import { count, listOf, object, oneOf, orNull, text, time, uuid } from './schema-parts.js';

const period = oneOf(adoption_periods);
const percent = { type: 'integer', minimum: 0, maximum: 100 } as const;
const rounded_count = object({ value: count, lower: count, upper: count });

const metrics = object({
  developers: rounded_count,
  accounts: rounded_count,
  activatedDevelopers: orNull(rounded_count),
  expansionAccounts: orNull(rounded_count),
  retentionD7: orNull(object({ band: object({ lower: percent, upper: percent }) })),
});

const row = object({
  rank: orNull(count),
  tool: object({
    id: orNull(uuid),
    slug: text,
    name: orNull(text),
    categorySlug: orNull(text),
  }),
  status: oneOf(['published', 'insufficient_data', 'missing']),
  score: orNull(object({ value: { type: 'number', minimum: 0, maximum: 100 }, version: text })),
  metrics: orNull(metrics),
  trend: orNull(object({ previousEpochRank: count, change: { type: 'integer' } })),
  confidence: object({
    level: oneOf(['high', 'medium', 'low', 'insufficient']),
    label: text,
    reasons: listOf(text),
  }),
  evidence: listOf(
    object({
      label: oneOf(evidence_labels),
      share: { type: 'number', minimum: 0, maximum: 1 },
      metrics: orNull(metrics),
    }),
  ),
  caveats: listOf(text),
});

const snapshot = object({
  id: text,
  asOf: time,
  publishedAt: time,
  nextPublicationAt: orNull(time),
  period,
  start: time,
  endExclusive: time,
  checksum: text,
});

const suppression = object({
  policyVersion: text,
  minDevelopers: count,
  minAccounts: count,
  concentrationRule: { const: 'applied' },
  rounding: { const: 'ladder' },
  statement: text,
});

const methodology = object({
  version: text,
  url: { type: 'string', format: 'uri-reference' },
  thresholds: object({ developers: count, accounts: count }),
  rounding: text,
  score: text,
  definitions: { type: 'object', additionalProperties: text },
  limitations: listOf(text),
});

const page = object({
  schemaVersion: { const: adoption_schema_version },
  period,
  window: orNull(object({ from: time, to: time })),
  epoch: orNull(count),
  publishedAt: orNull(time),
  statement: text,
  rows: listOf({ $ref: '#/components/schemas/AdoptionRow' }),
  total: count,
  suppressed: count,
  page: object({ limit: count, returned: count, total: count, nextCursor: orNull(text) }),
  filters: object({ category: orNull(text), tool: orNull(text) }),
  snapshot: orNull(snapshot),
  suppression,
  methodology,
  license: text,
  citation: orNull(text),
  rateLimit: object({ policy: text, limit: count, unit: text, windowSeconds: count }),
});

/** What the public adoption reads answer. */
export const adoption_schemas = {
  AdoptionRow: row,
  AdoptionPage: page,
  Methodology: object({ promise: text, suppression, methodology }),
} as const satisfies Readonly<Record<string, JsonSchema>>;
