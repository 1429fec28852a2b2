import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { IdentityHasher } from '#domain/usage/identity.js';
import type { MappingDirectory } from '#domain/usage/map-usage-event.js';
import type { LogRecord } from '#event-log/event-log.js';
import { KnownMappings } from '../../apps/api/src/tracking/known-mappings.js';
import { prepareEvent, type Reception } from '../../apps/api/src/tracking/prepare-event.js';
import { fromReceivedRecord } from '../../apps/ingest-worker/src/decode-received.js';
import { odd_email, oddEvent } from '../support/odd-events.js';

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

describe('what the door takes', () => {
  it('is what the clerk reads: the same product, times and counts, and no e-mail address', () => {
    let taken = 0;
    fc.assert(
      fc.property(oddEvent, (sent) => {
        const stored = throughTheLog(sent);
        if (stored === null) return;
        taken += 1;
        const { text: body, read } = stored;
        if (read.kind !== 'received') throw new Error(`${read.reason}: ${body}`);
        const { event } = read.message;
        expect(body).not.toContain(odd_email);
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
    expect(taken).toBeGreaterThan(500);
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
