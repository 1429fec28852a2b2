import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  countAlone,
  orderFor,
  quotaTerms,
  receiveLease,
  refund,
  remainingOf,
  settle,
  spend,
  untouched_account,
  type QuotaAccount,
  type QuotaTerms,
} from './quota.js';

/** One number for everybody, as the store keeps it. */
interface Counter {
  asked: number;
}

interface Instance {
  account: QuotaAccount;
  admitted: number;
  /** An order that the store has not answered yet. */
  ordered: number;
}

const idle = (): Instance => ({ account: untouched_account, admitted: 0, ordered: 0 });

function answerOrder(instance: Instance, counter: Counter, terms: QuotaTerms): void {
  if (instance.ordered === 0) return;
  counter.asked += instance.ordered;
  instance.account = receiveLease(instance.account, instance.ordered, counter.asked, terms);
  instance.ordered = 0;
}

/** Asks for `cost`; an instance that is short waits for its order and asks once more. */
function request(instance: Instance, cost: number, counter: Counter, terms: QuotaTerms): void {
  for (;;) {
    const verdict = spend(instance.account, cost, terms);
    if (verdict.kind === 'admitted') {
      instance.account = verdict.account;
      instance.admitted += Math.min(cost, terms.limit);
    }
    if (instance.ordered === 0) {
      const waitedFor = verdict.kind === 'short' ? cost : 0;
      instance.ordered = orderFor(instance.account, waitedFor, terms);
    }
    if (verdict.kind !== 'short') return;
    answerOrder(instance, counter, terms);
  }
}

const limits = fc.integer({ min: 1, max: 500 });
const steps = fc.array(
  fc.record({ instance: fc.nat(4), cost: fc.integer({ min: 1, max: 60 }), answer: fc.boolean() }),
  { maxLength: 400 },
);

describe('a quota that instances share', () => {
  it('never admits more than the limit and a head start for each instance', () => {
    fc.assert(
      fc.property(limits, fc.integer({ min: 1, max: 5 }), steps, (limit, count, run) => {
        const terms = quotaTerms(limit);
        const counter: Counter = { asked: 0 };
        const instances = Array.from({ length: count }, idle);
        for (const { instance, cost, answer } of run) {
          const chosen = instances[instance % count]!;
          request(chosen, cost, counter, terms);
          if (answer) answerOrder(chosen, counter, terms);
        }
        const admitted = instances.reduce((sum, one) => sum + one.admitted, 0);
        expect(admitted).toBeLessThanOrEqual(limit + (count > 1 ? count * terms.headStart : 0));
      }),
      { numRuns: 1000 },
    );
  });

  it('admits exactly the limit on one instance, and tells what remains to the unit', () => {
    fc.assert(
      fc.property(limits, fc.boolean(), (limit, eager) => {
        const terms = quotaTerms(limit);
        const counter: Counter = { asked: 0 };
        const instance = idle();
        for (let sent = 1; sent <= limit + 20; sent += 1) {
          request(instance, 1, counter, terms);
          if (eager) answerOrder(instance, counter, terms);
          expect(instance.admitted).toBe(Math.min(sent, limit));
          expect(remainingOf(instance.account, terms)).toBe(limit - instance.admitted);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('asks the store once per chunk and not once per request', () => {
    const terms = quotaTerms(1000);
    const counter: Counter = { asked: 0 };
    const instance = idle();
    let orders = 0;
    for (let sent = 0; sent < 1000; sent += 1) {
      request(instance, 1, counter, terms);
      orders += instance.ordered > 0 ? 1 : 0;
      answerOrder(instance, counter, terms);
    }
    expect(orders).toBeLessThanOrEqual(1000 / (terms.chunk / 2) + 1);
  });

  it('orders nothing from a window that is used up', () => {
    const terms = quotaTerms(10);
    const used = { held: 0, taken: 3, asked: 12 };
    expect(spend(used, 1, terms)).toEqual({ kind: 'refused' });
    expect(orderFor(used, 1, terms)).toBe(0);
  });

  it('lets a cost above the limit pass as the whole limit', () => {
    const terms = quotaTerms(10);
    const full = { held: 10, taken: 10, asked: 10 };
    expect(spend(full, 500, terms)).toMatchObject({ kind: 'admitted', account: { held: 0 } });
  });

  it('gives units back, and books late ones as debt that the next order pays', () => {
    const terms = quotaTerms(100);
    const account = receiveLease(untouched_account, 5, 5, terms);
    expect(remainingOf(refund(settle(account, 1), 1), terms)).toBe(100);
    const indebted = settle(account, 50);
    expect(remainingOf(indebted, terms)).toBe(50);
    expect(orderFor(indebted, 0, terms)).toBe(terms.chunk + 45);
  });

  it('counts alone up to the whole limit while the store is away', () => {
    fc.assert(
      fc.property(limits, fc.nat(500), (limit, before) => {
        const terms = quotaTerms(limit);
        const counter: Counter = { asked: 0 };
        const instance = idle();
        for (let sent = 0; sent < before; sent += 1) request(instance, 1, counter, terms);
        answerOrder(instance, counter, terms);
        instance.account = countAlone(instance.account, terms);
        for (let sent = 0; sent < 2 * limit; sent += 1) request(instance, 1, counter, terms);
        expect(instance.admitted).toBe(limit);
      }),
    );
  });
});
