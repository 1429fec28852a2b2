import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import { decodeUsageAccepted } from './decode-usage-accepted.js';

const message: UsageAccepted = {
  eventId: '0190b6f4-0000-5000-8000-000000000001',
  organizationId: '0190b6f4-0000-7000-8000-000000000002',
  productId: null,
  eventName: 'FIRST_API_CALL',
  eventFamily: 'activation',
  devKey: '18446744073709551615',
  accountKey: null,
  accountDomain: null,
  campaignId: null,
  campaignSource: null,
  evidence: 'first_party',
  occurredAt: '2026-03-01T10:00:00.123Z',
  receivedAt: '2026-03-01T10:00:01.000Z',
  tokensConsumed: null,
  creditCents: 0,
  latencyMs: Number.MAX_SAFE_INTEGER,
  retryCount: null,
  errorCount: null,
};

const decode = (value: unknown) => decodeUsageAccepted(Buffer.from(JSON.stringify(value)));

describe('reading an accepted event', () => {
  it('takes a message as the clerk writes it, also with fields of later versions', () => {
    expect(decode(message)).toEqual({ kind: 'decoded', message });
    expect(decode({ ...message, later: 1 }).kind).toBe('decoded');
  });

  it.each<[keyof UsageAccepted, unknown]>([
    ['eventId', 'ABC'],
    ['organizationId', null],
    ['productId', 'p-1'],
    ['eventFamily', 'growth'],
    ['evidence', 'rumour'],
    ['devKey', '18446744073709551616'],
    ['devKey', '-1'],
    ['devKey', '007'],
    ['devKey', 7],
    ['accountKey', ''],
    ['occurredAt', '2026-03-01'],
    ['occurredAt', '2026-13-01T10:00:00.000Z'],
    ['occurredAt', '2026-02-30T10:00:00.000Z'],
    ['receivedAt', '2026-03-01T10:00:00.00000'],
    ['receivedAt', '2026-03-01T10:00:00+00:00'],
    ['tokensConsumed', -1],
    ['creditCents', 1.5],
    ['latencyMs', 2 ** 53],
    ['errorCount', undefined],
  ])('refuses %s %p and names the field', (field, value) => {
    const why = `field ${field}`;
    expect(decode({ ...message, [field]: value })).toEqual({ kind: 'undecodable', why });
  });

  it('refuses whatever is no object, and never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(decodeUsageAccepted(bytes).kind).toBe('undecodable');
      }),
    );
    for (const value of [null, [], 'text', 1]) expect(decode(value).kind).toBe('undecodable');
    expect(decodeUsageAccepted(Buffer.from([0xff, 0x7b, 0x7d])).kind).toBe('undecodable');
  });
});
