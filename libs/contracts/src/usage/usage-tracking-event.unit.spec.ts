import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { compileContract } from '../compile-contract.js';
import { UsageTrackingEventDto } from './usage-tracking-event.dto.js';

const contract = compileContract(UsageTrackingEventDto);

const valid = {
  eventType: 'API_CALL',
  event_name: 'MODEL_CALL_COMPLETED',
  event_family: 'activation',
  developer_id: 'dev-1',
  userId: 'u-1',
  email: 'ada@example.com',
  account_domain: 'acme.example',
  product: { id: 'p', name: 'P', type: 'api', version: '1', extra: true },
  account: { name: 'Acme', domain: 'acme.example', plan: 'gold' },
  workflow: { id: 'w' },
  workload: { name: 'x', success: true },
  mcp_server: 's',
  tokens_consumed: 12,
  credit_cents: 0,
  latency_ms: 120,
  retry_count: 0,
  error_count: 1,
  metadata: { usageReceipt: { receiptType: 'model_call' } },
  context: { attribution: { campaignId: 'c', source: 'docs' }, ip: 'dropped' },
  occurredAt: '2026-05-22T10:00:00.000Z',
  projectId: 'p',
  idempotencyKey: 'k',
  source: 'sdk',
  anything: ['else'],
};

/** Values that have fooled one of the two validators before. */
const odd_values: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    '',
    ' ',
    0,
    -0,
    -1,
    1.5,
    2 ** 53,
    2 ** 53 - 1,
    Number.NaN,
    Infinity,
    true,
    [],
    {},
    [null],
    [{}],
    { attribution: null },
    { attribution: [] },
    { attribution: 'x' },
    { id: 7 },
    '2026-W01',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00',
    '2026-01-01',
    '2026-01-01T24:00:00Z',
    '2026-01-01T10:00Z',
    '2026-01-01T10:00:00+05:30',
    'ada@example',
    'ada@@example.com',
    'a..b@example.com',
    'ADA@EXAMPLE.COM',
    'ada@bücher.example',
    '"ada"@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b'.repeat(64)}.com`,
    'intent',
    'CUSTOM',
    'custom',
    'x'.repeat(200),
    'x'.repeat(201),
    'x'.repeat(513),
    '😀'.repeat(200),
    '😀'.repeat(201),
    '☂️'.repeat(150),
    '\ud800',
  ),
  fc.jsonValue({ maxDepth: 2 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.emailAddress(),
);

const paths = [
  ...Object.keys(valid).map((name) => [name]),
  ...['id', 'name', 'type', 'version'].map((name) => ['product', name]),
  ...['name', 'domain'].map((name) => ['account', name]),
  ['context', 'attribution'],
  ['context', 'attribution', 'campaignId'],
  ['context', 'attribution', 'source'],
];

function replaced(event: object, path: readonly string[], value: unknown): object {
  const [name, ...rest] = path as [string, ...string[]];
  const inner = (event as Record<string, unknown>)[name];
  return { ...event, [name]: rest.length === 0 ? value : replaced(inner as object, rest, value) };
}

describe('UsageTrackingEvent', () => {
  it('is accepted with every field of the specification and with extra properties', () => {
    expect(contract.check(valid, '')).toEqual([]);
    expect(contract.accepts(valid)).toBe(true);
  });

  it('gets the same verdict from the compiled schema and from class-validator', () => {
    const mutation = fc.tuple(fc.constantFrom(...paths), odd_values);
    fc.assert(
      fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
        let event: object = valid;
        for (const [path, value] of mutations) {
          const root = (event as Record<string, unknown>)[path[0]!];
          if (path.length > 1 && (typeof root !== 'object' || root === null)) continue;
          if (path.length > 2 && typeof Object(root)['attribution'] !== 'object') continue;
          if (path.length > 2 && Object(root)['attribution'] === null) continue;
          event = replaced(event, path, value);
        }
        expect(contract.accepts(event)).toBe(contract.check(event, '').length === 0);
      }),
      { numRuns: 20_000 },
    );
  });

  it('names each refused field once, by its pointer', () => {
    const findings = contract.check(
      { ...valid, product: 'p', latency_ms: -1, context: { attribution: { campaignId: 5 } } },
      '/events/3',
    );
    expect(findings.map(({ pointer }) => pointer)).toEqual([
      '/events/3/product',
      '/events/3/latency_ms',
      '/events/3/context/attribution/campaignId',
    ]);
  });

  it('is refused when it is no object', () => {
    for (const value of [null, 7, 'x', []]) {
      expect(contract.accepts(value)).toBe(false);
      expect(contract.check(value, '')).toHaveLength(1);
    }
  });
});
