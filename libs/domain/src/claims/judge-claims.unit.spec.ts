import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { Claim } from './claim.js';
import { allNew, judgeClaims, type ClaimRequest, type ClaimVerdict } from './judge-claims.js';

const claimOf = (id: string, content: string, receivedAt = 0): Claim => ({
  eventId: id,
  organizationId: 'o',
  payloadHash: content,
  fieldHashes: '',
  receivedAt,
});

const kinds = (verdicts: readonly ClaimVerdict[]) => verdicts.map(({ kind }) => kind);

/** The rule in its plainest form: one request after the other against a store. */
function oneByOne(requests: readonly ClaimRequest[], stored: ReadonlyMap<string, Claim>) {
  const store = new Map(stored);
  const answers = requests.map(({ strict, claims }) => {
    const before = new Map(store);
    const answer: string[] = claims.map((claim) => {
      const first = store.get(claim.eventId);
      if (first === undefined) store.set(claim.eventId, claim);
      if (first === undefined) return 'new';
      return first.payloadHash === claim.payloadHash ? 'duplicate' : 'conflict';
    });
    if (!strict || !answer.includes('conflict')) return answer;
    store.clear();
    for (const [id, claim] of before) store.set(id, claim);
    return answer.map((kind) => (kind === 'conflict' ? kind : 'withheld'));
  });
  const kept = [...store].filter(([id]) => !stored.has(id)).map(([, claim]) => claim);
  return { answers, kept };
}

const anyClaim = fc
  .tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('1', '2'))
  .map(([id, content]) => claimOf(id, content));
const anyRequest = fc.record({
  strict: fc.boolean(),
  claims: fc.array(anyClaim, { minLength: 1, maxLength: 4 }),
});
const anyStore = fc
  .uniqueArray(anyClaim, { selector: ({ eventId }) => eventId, maxLength: 2 })
  .map((claims) => new Map(claims.map((claim) => [claim.eventId, claim])));

describe('judging claims that share a transaction', () => {
  it('answers any mix of overlapping batches as if they had come one after the other', () => {
    fc.assert(
      fc.property(fc.array(anyRequest, { maxLength: 6 }), anyStore, (requests, stored) => {
        const { verdicts, winners } = judgeClaims(requests, stored);
        const expected = oneByOne(requests, stored);
        expect(verdicts.map(kinds)).toEqual(expected.answers);
        expect(new Set(winners)).toEqual(new Set(expected.kept));
      }),
      { numRuns: 2000 },
    );
  });

  it('calls all claims new where no id is stored and none occurs twice', () => {
    const distinct = fc
      .uniqueArray(anyClaim, { selector: ({ eventId }) => eventId, minLength: 1 })
      .chain((claims) =>
        fc.nat(claims.length - 1).map((cut) => [claims.slice(0, cut), claims.slice(cut)]),
      )
      .map((parts) => parts.map((claims, index) => ({ strict: index === 0, claims })));
    fc.assert(
      fc.property(distinct, (requests) => {
        expect(allNew(requests)).toEqual(judgeClaims(requests, new Map()));
      }),
    );
  });

  it('calls the same content under a stored key a duplicate and other content a conflict', () => {
    const first = claimOf('a', '1');
    const { verdicts, winners } = judgeClaims(
      [
        { strict: true, claims: [claimOf('a', '1')] },
        { strict: true, claims: [claimOf('a', '2')] },
      ],
      new Map([['a', first]]),
    );
    expect(verdicts.map(kinds)).toEqual([['duplicate'], ['conflict']]);
    expect(verdicts[0]![0]).toMatchObject({ first });
    expect(winners).toEqual([]);
  });

  it('keeps nothing of a strict batch with a conflict, so that the next request is first', () => {
    const { verdicts, winners } = judgeClaims(
      [
        { strict: true, claims: [claimOf('b', '1'), claimOf('a', '2')] },
        { strict: true, claims: [claimOf('b', '1')] },
      ],
      new Map([['a', claimOf('a', '1')]]),
    );
    expect(verdicts.map(kinds)).toEqual([['withheld', 'conflict'], ['new']]);
    expect(winners).toHaveLength(1);
  });

  it('gives at most one answer `new` per key', () => {
    fc.assert(
      fc.property(fc.array(anyRequest, { maxLength: 6 }), (requests) => {
        const fresh = judgeClaims(requests, new Map())
          .verdicts.flat()
          .filter(({ kind }) => kind === 'new')
          .map(({ claim }) => claim.eventId);
        expect(new Set(fresh).size).toBe(fresh.length);
      }),
    );
  });
});
