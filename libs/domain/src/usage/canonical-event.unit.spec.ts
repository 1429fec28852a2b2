import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { canonicalEvent, changedFields, payloadHashOf } from './canonical-event.js';
import type { SentUsageEvent } from './sent-usage-event.js';

const folded = (sent: SentUsageEvent) => ({
  sent,
  eventName: 'API_CALL',
  eventFamily: null,
  developerHash: 'd'.repeat(64),
  userHash: null,
  emailHash: null,
});

const write = (sent: SentUsageEvent) => canonicalEvent(folded(sent));

/** The same JSON value with the members of every object in another order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

describe('the canonical form of an event', () => {
  it('does not depend on the order of properties', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), (metadata) => {
        const sent = { metadata, product: { name: 'p', id: 'i' }, zebra: 1, ant: metadata };
        const other = reversed(sent) as SentUsageEvent;
        expect(write(other).text).toBe(write(sent).text);
      }),
    );
  });

  it('differs when any content differs', () => {
    const metadata = fc.jsonValue({ maxDepth: 2 }).map((value) => ({ value }));
    fc.assert(
      fc.property(metadata, metadata, (one, other) => {
        const same = JSON.stringify(reversed(one)) === JSON.stringify(reversed(other));
        fc.pre(!same && write({ metadata: one }).text !== write({ metadata: other }).text);
        const [before, after] = [write({ metadata: one }), write({ metadata: other })];
        expect(after.payloadHash).not.toBe(before.payloadHash);
      }),
    );
    expect(write({ metadata: { a: 1 } }).text).not.toBe(write({ metadata: { a: '1' } }).text);
  });

  it('is JSON that reads back as the event, extra properties under `extra`', () => {
    const { text } = write({ source: 'sdk', metadata: { b: [1, null], a: 'ü' }, note: 'x' });
    expect(JSON.parse(text)).toEqual({
      event_name: 'API_CALL',
      developer_id: 'd'.repeat(64),
      metadata: { a: 'ü', b: [1, null] },
      source: 'sdk',
      extra: { note: 'x' },
    });
  });

  it('keeps a property called __proto__ like any other', () => {
    const sent = JSON.parse('{"metadata":{"__proto__":{"a":1}}}') as SentUsageEvent;
    expect(write(sent).text).toContain('"__proto__":{"a":1}');
    expect(write(sent).payloadHash).not.toBe(write({ metadata: {} }).payloadHash);
  });

  it('leaves out transport, aliases and the key itself', () => {
    const plain = write({ source: 'sdk' });
    const dressed = write({
      source: 'sdk',
      idempotencyKey: 'k',
      event_id: 'k',
      developerId: 'd',
      eventFamily: 'intent',
      mcp_tool: null,
    });
    expect(dressed.text).toBe(plain.text);
  });

  it('hashes the text with its version', () => {
    const { text, payloadHash } = write({ source: 'sdk' });
    expect(payloadHashOf(text)).toBe(payloadHash);
    expect(payloadHash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('names the fields that changed, appeared or went', () => {
    const before = write({ source: 'sdk', latency_ms: 5, product: { id: 'a' } });
    const after = write({ source: 'sdk', product: { id: 'b' }, projectId: 'p' });
    expect(changedFields(before.fieldHashes, after.fieldHashes)).toEqual([
      '/product',
      '/latency_ms',
      '/projectId',
    ]);
    expect(changedFields(before.fieldHashes, before.fieldHashes)).toEqual(['']);
  });

  it('refuses more than 16 levels and more than 512 properties', () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
    expect(() => write({ metadata: nested(14) as never })).not.toThrow();
    expect(() => write({ metadata: nested(15) as never })).toThrow('too_deep');
    const wide = Object.fromEntries(Array.from({ length: 513 }, (_, index) => [`p${index}`, 0]));
    expect(() => write({ metadata: wide })).toThrow('too_many_properties');
  });
});
