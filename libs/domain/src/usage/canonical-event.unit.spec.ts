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

  it.each([
    ['', 'AA8WPgHKqoUDWLIYCYwjCxEMo/YYyqqF', 'fd99421baccc'],
    ['code-search', 'AA8WPgFoCPMDWLIYCbvtjxEMo/YYaAjz', '68f5d0fca488'],
    ['Bücher "quoted" \\ \u0001', 'AA8WPgEyjoUDWLIYCcNY8REMo/YYMo6F', '898b16ac6309'],
    ['\ud83d alone', 'AA8WPgHp6owDWLIYCfg4GhEMo/YY6eqM', 'b60bc49fe485'],
    ['x'.repeat(97), 'AA8WPgFfMJ8DWLIYCb++VREMo/YYXzCf', 'dcc4292e4026'],
    ['x'.repeat(98), 'AA8WPgFK47EDWLIYCRrKohEMo/YYSuOx', '4a6dc1f05c9c'],
    ['é"'.repeat(60), 'AA8WPgHpIDADWLIYCbZ7fxEMo/YY6SAw', '2803f0dbdc8a'],
  ])('has the hashes that claims of %j have stored', (text, fieldHashes, payloadHash) => {
    const sent = { eventType: text, workflow: { b: 1, a: [text] }, source: text, latency_ms: 7 };
    const event = { ...folded(sent), developerHash: 'ab' };
    const canonical = canonicalEvent(event);
    expect(canonical.fieldHashes).toBe(fieldHashes);
    expect(canonical.payloadHash.slice(0, 12)).toBe(payloadHash);
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
