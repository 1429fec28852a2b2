import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SentUsageEvent } from './sent-usage-event.js';
import { readUsageReceipt } from './usage-receipt.js';

const read = (usageReceipt: unknown, event: SentUsageEvent = {}) =>
  readUsageReceipt({ ...event, metadata: { usageReceipt } });

const complete = {
  contract: 'service-usage-receipt-v1',
  receiptType: 'model_call',
  provider: 'acme',
  model: 'm-2',
  costCents: 12,
  latencyMs: 480,
  requestCount: 1,
  recommendedStackAction: 'keep',
};

describe('a usage receipt', () => {
  it('is summarised part by part', () => {
    expect(read({ ...complete, note: 'kept out of the summary' })).toEqual({
      usageReceipt: { ...complete, mcpServer: null, mcpTool: null, api: null, complete: true },
      nextFixes: [],
    });
  });

  it('is null when the event carries none', () => {
    expect(readUsageReceipt({}).usageReceipt).toBeNull();
    expect(read(null)).toEqual({ usageReceipt: null, nextFixes: [] });
  });

  it("takes what it leaves out from the event's own fields", () => {
    const { usageReceipt, nextFixes } = read(
      { receiptType: 'model_call', model: 'm-2' },
      { model_provider: 'acme', credit_cents: 3, latency_ms: 9, workload: { requestCount: 2 } },
    );
    expect(usageReceipt).toMatchObject({
      provider: 'acme',
      costCents: 3,
      latencyMs: 9,
      requestCount: 2,
      complete: true,
    });
    expect(nextFixes).toEqual([]);
  });

  it('names every missing part with the field to send', () => {
    const { usageReceipt, nextFixes } = read({ receiptType: 'model_call', provider: 'acme' });
    expect(usageReceipt).toMatchObject({ provider: 'acme', model: null, complete: false });
    expect(nextFixes.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['complete_receipt', '/metadata/usageReceipt/model'],
      ['complete_receipt', '/metadata/usageReceipt/costCents'],
      ['complete_receipt', '/metadata/usageReceipt/latencyMs'],
      ['complete_receipt', '/metadata/usageReceipt/requestCount'],
    ]);
    expect(nextFixes[0]!.message).toContain('metadata.usageReceipt.model');
  });

  it('needs other parts for other types', () => {
    const missing = (receiptType: string, parts: object = {}) =>
      read({ receiptType, ...parts }).nextFixes.map(({ pointer }) => pointer.split('/').at(-1));
    expect(missing('spend')).toEqual(['provider', 'costCents']);
    expect(missing('build')).toEqual(['recommendedStackAction']);
    expect(missing('api')).toEqual(['api', 'latencyMs', 'requestCount']);
    expect(missing('api', { mcpServer: 's', latencyMs: 1, requestCount: 1 })).toEqual([]);
  });

  it('is asked for its type, whatever else it says', () => {
    expect(read({ ...complete, receiptType: 'model-call' }).usageReceipt).toMatchObject({
      receiptType: 'model_call',
      complete: true,
    });
    const unknown = read({ ...complete, receiptType: 'invoice' });
    expect(unknown.usageReceipt).toMatchObject({ receiptType: 'invoice', complete: false });
    expect(unknown.nextFixes[0]).toMatchObject({ code: 'receipt_type' });
    for (const receiptType of ['constructor', '__proto__', 'toString']) {
      expect(read({ ...complete, receiptType }).nextFixes[0]).toMatchObject({
        code: 'receipt_type',
      });
    }
    expect(read({ ...complete, contract: 'v0' }).nextFixes[0]!.code).toBe('receipt_contract');
  });

  it('leaves parts of a wrong type out and says so, once', () => {
    const { usageReceipt, nextFixes } = read({ ...complete, latencyMs: 'fast', costCents: -1 });
    expect(usageReceipt).toMatchObject({ latencyMs: null, costCents: null, complete: false });
    expect(nextFixes.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['receipt_part', '/metadata/usageReceipt/costCents'],
      ['receipt_part', '/metadata/usageReceipt/latencyMs'],
    ]);
  });

  it('that is no object is reported as that', () => {
    for (const odd of ['text', 7, ['a']]) {
      const { usageReceipt, nextFixes } = read(odd);
      expect(usageReceipt).toBeNull();
      expect(nextFixes.map(({ code }) => code)).toEqual(['receipt_not_object']);
    }
  });

  it('never breaks, whatever is sent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { usageReceipt, nextFixes } = read(value);
        for (const { code, pointer, message } of nextFixes) {
          expect([code, pointer, message].every((text) => text !== '')).toBe(true);
        }
        if (usageReceipt !== null) {
          expect(usageReceipt.complete).toBe(usageReceipt.complete && nextFixes.length === 0);
        }
      }),
    );
  });
});
