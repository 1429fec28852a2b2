import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { provenClaim, type LoggedClaim } from './claim-holder.js';
import type { Claim } from './claim.js';

const claimOf = (content: string, receivedAt: number): Claim => ({
  eventId: 'e',
  organizationId: 'o',
  payloadHash: content,
  fieldHashes: '',
  receivedAt,
});
const logged = (
  content: string,
  receivedAt: number,
  standing: LoggedClaim['standing'] = 'stands',
): LoggedClaim => ({ claim: claimOf(content, receivedAt), standing });

describe('the claim that the log proves', () => {
  it('is what the only record says', () => {
    expect(provenClaim([logged('a', 1)], null)).toEqual({
      claim: claimOf('a', 1),
      ambiguous: false,
    });
  });

  it('has the time of the accepted copy: a retry after an uncertain answer may hold it', () => {
    const records = [logged('a', 1), logged('a', 2)];
    expect(provenClaim(records, 2)?.claim).toEqual(claimOf('a', 2));
    expect(provenClaim(records, null)?.claim).toEqual(claimOf('a', 1));
  });

  it('has the time of the accepted copy where the record of that time has expired', () => {
    expect(provenClaim([logged('a', 5)], 2)?.claim).toEqual(claimOf('a', 2));
  });

  it('is never that of a superseded record', () => {
    const records = [logged('a', 1, 'superseded'), logged('b', 2)];
    expect(provenClaim(records, null)?.claim).toEqual(claimOf('b', 2));
    expect(provenClaim([logged('a', 1, 'superseded')], null)).toBeNull();
  });

  it('is that of the accepted record where the mark of the other has expired', () => {
    const records = [logged('a', 1), logged('b', 2)];
    expect(provenClaim(records, 2)).toEqual({ claim: claimOf('b', 2), ambiguous: false });
  });

  it('is that of the earlier record while nothing tells two apart, and says so', () => {
    const records = [logged('a', 1), logged('b', 2)];
    expect(provenClaim(records, null)).toEqual({ claim: claimOf('a', 1), ambiguous: true });
  });

  it('is that of an event without a known name only where nothing else stands', () => {
    const unnamed = logged('a', 1, 'unnamed');
    expect(provenClaim([unnamed], null)?.claim).toEqual(claimOf('a', 1));
    expect(provenClaim([unnamed, logged('b', 2)], null)).toEqual({
      claim: claimOf('b', 2),
      ambiguous: false,
    });
  });
});

/** What happens to one id: a request appends, and commits or does not; or the clerk reads on. */
type Happening =
  | { readonly kind: 'request'; readonly content: string; readonly commits: boolean }
  | { readonly kind: 'clerk' };

interface Happened {
  readonly claim: Claim | null;
  readonly records: readonly LoggedClaim[];
  readonly acceptedAt: number | null;
  readonly allJudged: boolean;
}

/** The claim protocol for one id, as the door and the clerk keep it. */
function happened(happenings: readonly Happening[]): Happened {
  let claim: Claim | null = null;
  let acceptedAt: number | null = null;
  const records: LoggedClaim[] = [];
  let judged = 0;
  happenings.forEach((happening, at) => {
    if (happening.kind === 'request') {
      if (claim !== null) return;
      const record = logged(happening.content, at);
      records.push(record);
      if (happening.commits) claim = record.claim;
    } else if (judged < records.length) {
      const record = records[judged]!;
      claim ??= record.claim;
      if (claim.payloadHash === record.claim.payloadHash) acceptedAt ??= claim.receivedAt;
      else records[judged] = { ...record, standing: 'superseded' };
      judged += 1;
    }
  });
  return { claim, records, acceptedAt, allJudged: judged === records.length };
}

const happenings = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('request' as const),
      content: fc.constantFrom('a', 'b', 'c'),
      commits: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('clerk' as const) }),
  ),
  { maxLength: 12 },
);

describe('whatever door and clerk did with an id', () => {
  it('its claim is given back exactly once the clerk has judged, marks expired or not', () => {
    fc.assert(
      fc.property(happenings, fc.boolean(), (list, expired) => {
        const { claim, records, acceptedAt, allJudged } = happened(list);
        fc.pre(records.length > 0 && allJudged);
        const marked = records.map((record) =>
          expired ? ({ ...record, standing: 'stands' } as const) : record,
        );
        expect(provenClaim(marked, acceptedAt)).toEqual({ claim, ambiguous: false });
      }),
      { numRuns: 2_000 },
    );
  });

  it('its content is given back before that, too, unless it is said to be ambiguous', () => {
    fc.assert(
      fc.property(happenings, (list) => {
        const { claim, records, acceptedAt } = happened(list);
        const proven = provenClaim(records, acceptedAt);
        if (claim === null || proven?.ambiguous === true) return;
        expect(proven?.claim.payloadHash).toBe(claim.payloadHash);
      }),
      { numRuns: 2_000 },
    );
  });
});
