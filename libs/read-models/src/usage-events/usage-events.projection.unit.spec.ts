import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import { no_product } from '../column-types.js';
import { toUsageEventRow } from './usage-events.projection.js';

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
  errorCount: 3,
};
const place = { partition: 4, offset: 12n };

const row = (of: Partial<UsageAccepted>) =>
  JSON.parse(toUsageEventRow({ ...message, ...of }, place)) as unknown[];

describe('a row of a usage event', () => {
  it('has one value for each column, and the offset as its version', () => {
    expect(row({})).toEqual([
      message.eventId,
      message.organizationId,
      no_product,
      'FIRST_API_CALL',
      'activation',
      '18446744073709551615',
      '0',
      'first_party',
      '',
      '',
      '2026-03-01 10:00:00.123',
      '2026-03-01 10:00:01.000',
      null,
      0,
      Number.MAX_SAFE_INTEGER,
      null,
      3,
      4,
      '12',
      '12',
    ]);
  });

  it('holds any name, campaign and source as it is, on one line', () => {
    const anyText = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(anyText, anyText, anyText, (eventName, campaignId, campaignSource) => {
        const values = row({ eventName, campaignId, campaignSource });
        expect([values[3], values[8], values[9]]).toEqual([eventName, campaignId, campaignSource]);
        const line = toUsageEventRow({ ...message, eventName, campaignId, campaignSource }, place);
        expect(line.indexOf('\n')).toBe(line.length - 1);
      }),
    );
  });
});
