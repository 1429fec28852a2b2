import fc from 'fast-check';

export const odd_email = 'grace.hopper@navy-corp.example';
// Ids that equal names of the schema, values, numbers and parts of other texts.
const ids = [
  ...['email', 'developer', 'developer_id', 'product', 'account', 'context', 'metadata', 'source'],
  ...['attribution', 'campaignId', 'name', 'API_CALL', 'CUSTOM', 'retention', 'extra'],
  ...[
    '1500',
    '2026',
    '12345678',
    'abcd',
    'T00:',
    'grace.hopper',
    odd_email,
    'ü😀ü😀',
    '%40',
    '"\\"',
  ],
];
const id = fc.constantFrom(...ids);
const text = fc.oneof(
  id,
  fc.tuple(id, fc.integer({ min: 1, max: 75 })).map(([part, times]) => part.repeat(times)),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const count = fc.constantFrom(0, 1500, 2026, 12345678);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
/**
 * Events whose ids are names of the schema, values of other fields or parts of their texts, with
 * texts of any Unicode and any length. Many of them are refused.
 */
export const oddEvent = fc.record({
  event_name: fc.constant('API_CALL'),
  eventType: maybe(fc.constantFrom('API_CALL', 'CUSTOM')),
  event_family: maybe(fc.constant('retention')),
  developer_id: maybe(id),
  userId: maybe(id),
  email: maybe(fc.constantFrom(odd_email, `a@${'字é'.repeat(8)}.${'字é'.repeat(8)}.com`)),
  account_domain: maybe(text),
  product: fc.record({ name: text, version: maybe(text), owner: maybe(id) }),
  account: maybe(fc.record({ name: maybe(text), domain: maybe(text) })),
  context: maybe(
    fc.record({ attribution: fc.record({ campaignId: maybe(text), source: maybe(text) }) }),
  ),
  metadata: maybe(fc.dictionary(id, fc.oneof(text, count))),
  workload: maybe(fc.dictionary(id, text)),
  mcp_server: maybe(text),
  source: maybe(text),
  projectId: maybe(text),
  tokens_consumed: maybe(count),
  latency_ms: maybe(count),
  occurredAt: maybe(fc.constantFrom(new Date().toISOString())),
  idempotencyKey: text,
  note: maybe(text),
});
