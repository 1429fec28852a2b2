import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IdentityHasher } from '#domain/usage/identity.js';
import type { MappingDirectory } from '#domain/usage/map-usage-event.js';
import type { LogRecord } from '#event-log/event-log.js';
import { KnownMappings } from '../../apps/api/src/tracking/known-mappings.js';
import { prepareEvent, type Reception } from '../../apps/api/src/tracking/prepare-event.js';
import { fromReceivedRecord } from '../../apps/ingest-worker/src/decode-received.js';

const organizationId = '01890a5d-ac96-774b-bcce-b302099a8057';
const directory: MappingDirectory = {
  organizationSlug: 'acme',
  evidence: 'first_party',
  products: [],
  policies: [],
  campaigns: new Map(),
  ownDomains: new Set(),
};
const now = Date.now();
const reception: Reception = {
  principal: {
    keyId: randomUUID(),
    organizationId,
    productId: null,
    requireSignature: false,
  } as Reception['principal'],
  directory,
  hashes: new IdentityHasher('a pepper for specs, and nothing else'),
  mappings: new KnownMappings(directory, null, 1),
  arena: null,
  receivedAt: now,
  receivedAtText: new Date(now).toISOString(),
  ageMsMax: 400 * 86_400_000,
  storing: true,
  traceparent: null,
};

const recordOf = (value: Uint8Array | string): LogRecord => ({
  topic: 'usage.received.v1',
  partition: 0,
  offset: 0n,
  appendedAt: now,
  key: '',
  value: Buffer.from(value as string),
  headers: {},
});

/** What the clerk makes of an event that the door took; null when the door refused it. */
function throughTheLog(sent: object) {
  const examined = prepareEvent(JSON.parse(JSON.stringify(sent)), reception);
  if (examined.kind !== 'prepared') return null;
  return { text: String(examined.body), read: fromReceivedRecord(recordOf(examined.body)) };
}

const email = 'grace.hopper@navy-corp.example';
// Ids that equal names of the schema, values, numbers and parts of other texts.
const ids = [
  ...['email', 'developer', 'developer_id', 'product', 'account', 'context', 'metadata', 'source'],
  ...['attribution', 'campaignId', 'name', 'API_CALL', 'CUSTOM', 'retention', 'extra'],
  ...['1500', '2026', '12345678', 'abcd', 'T00:', 'grace.hopper', email, 'ü😀ü😀', '%40', '"\\"'],
];
const id = fc.constantFrom(...ids);
const text = fc.oneof(
  id,
  fc.tuple(id, fc.integer({ min: 1, max: 75 })).map(([part, times]) => part.repeat(times)),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const count = fc.constantFrom(0, 1500, 2026, 12345678);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const sentEvent = fc.record({
  event_name: fc.constant('API_CALL'),
  eventType: maybe(fc.constantFrom('API_CALL', 'CUSTOM')),
  event_family: maybe(fc.constant('retention')),
  developer_id: maybe(id),
  userId: maybe(id),
  email: maybe(fc.constantFrom(email, `a@${'字é'.repeat(8)}.${'字é'.repeat(8)}.com`)),
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
  occurredAt: maybe(fc.constantFrom(new Date(now).toISOString())),
  idempotencyKey: text,
  note: maybe(text),
});

describe('what the door takes', () => {
  it('is what the clerk reads: the same product, times and counts, and no e-mail address', () => {
    let taken = 0;
    fc.assert(
      fc.property(sentEvent, (sent) => {
        const stored = throughTheLog(sent);
        if (stored === null) return;
        taken += 1;
        const { text: body, read } = stored;
        if (read.kind !== 'received') throw new Error(`${read.reason}: ${body}`);
        const { event } = read.message;
        expect(body).not.toContain(email);
        expect(event.tokens_consumed).toBe(sent.tokens_consumed);
        expect(event.latency_ms).toBe(sent.latency_ms);
        expect(event.occurredAt).toBe(sent.occurredAt);
        expect(event.eventType).toBe(sent.eventType);
        if (!sent.product.name.includes('@') && !sent.product.name.includes('%40')) {
          expect(event.product?.name).toBe(sent.product.name);
        }
        for (const name of ['account', 'context', 'metadata', 'workload', 'source'] as const) {
          expect(event[name] == null).toBe(sent[name] === undefined);
        }
      }),
      { numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(1000);
  });

  it('of earlier versions is read with the marks that stood in the place of numbers', () => {
    const stored = throughTheLog({
      event_name: 'API_CALL',
      developer_id: 'dev-1',
      product: { name: 'p' },
      idempotencyKey: 'k',
      latency_ms: 1500,
    });
    const body = stored!.text.replace(
      '"latency_ms":1500',
      '"latency_ms":"[developer:0123456789abcdef]"',
    );
    expect(fromReceivedRecord(recordOf(body))).toMatchObject({
      kind: 'received',
      message: { event: { latency_ms: null } },
    });
    const partial = '"occurredAt":"[developer:0123456789abcdef]-05-22T10:00:00Z","product"';
    const timed = stored!.text.replace('"product"', partial);
    expect(fromReceivedRecord(recordOf(timed))).toMatchObject({
      kind: 'received',
      message: { event: { occurredAt: null } },
    });
    const other = stored!.text.replace('"latency_ms":1500', '"latency_ms":"fast"');
    expect(fromReceivedRecord(recordOf(other))).toMatchObject({ reason: 'undecodable' });
  });
});
