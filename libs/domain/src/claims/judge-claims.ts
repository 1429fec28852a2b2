import { sameContent, type Claim } from './claim.js';

/** One request: its events are stored all or none (`strict`), or each on its own. */
export interface ClaimRequest {
  readonly strict: boolean;
  readonly claims: readonly Claim[];
}

/** `within`: the claim that holds the id is another one of the same request. */
export interface ConflictVerdict {
  readonly kind: 'conflict';
  readonly claim: Claim;
  readonly first: Claim;
  readonly within: boolean;
}

/**
 * What becomes of one event. `first` is the claim that holds the id, for its time and fields.
 * `withheld`: nothing was wrong with it, but its strict batch met a conflict elsewhere.
 */
export type ClaimVerdict =
  | { readonly kind: 'new'; readonly claim: Claim }
  | { readonly kind: 'duplicate'; readonly claim: Claim; readonly first: Claim }
  | ConflictVerdict
  | { readonly kind: 'withheld'; readonly claim: Claim };

export interface ClaimJudgement {
  /** Verdicts per request and event, in input order. */
  readonly verdicts: readonly (readonly ClaimVerdict[])[];
  /** The claims to keep: one for each id that is new. */
  readonly winners: readonly Claim[];
}

/** The judgement where no id was stored before and none occurs twice: `judgeClaims`, cheaper. */
export function allNew(requests: readonly ClaimRequest[]): ClaimJudgement {
  return {
    verdicts: requests.map(({ claims }) => claims.map((claim) => ({ kind: 'new', claim }))),
    winners: requests.flatMap(({ claims }) => claims),
  };
}

/** The verdict on a claim whose id `first` holds; `within` the same request, if that is so. */
export function judgeAgain(
  claim: Claim,
  first: Claim,
  within = false,
): ConflictVerdict | Extract<ClaimVerdict, { kind: 'duplicate' }> {
  if (sameContent(first, claim)) return { kind: 'duplicate', claim, first };
  return { kind: 'conflict', claim, first, within };
}

/**
 * Judges requests that share a transaction as if they had come one after the other in their order,
 * given the claims that were there before them. A strict request that meets a conflict leaves
 * nothing behind, so that a later request with one of its ids is the first.
 */
export function judgeClaims(
  requests: readonly ClaimRequest[],
  stored: ReadonlyMap<string, Claim>,
): ClaimJudgement {
  const held = new Map<string, Claim>(stored);
  const winners: Claim[] = [];
  const verdicts = requests.map((request) => {
    const fresh = new Map<string, Claim>();
    const judged = request.claims.map((claim): ClaimVerdict => {
      const before = held.get(claim.eventId);
      const first = before ?? fresh.get(claim.eventId);
      if (first === undefined) {
        fresh.set(claim.eventId, claim);
        return { kind: 'new', claim };
      }
      return judgeAgain(claim, first, before === undefined);
    });
    if (request.strict && judged.some(({ kind }) => kind === 'conflict')) {
      return judged.map((verdict): ClaimVerdict =>
        verdict.kind === 'conflict' ? verdict : { kind: 'withheld', claim: verdict.claim },
      );
    }
    for (const [eventId, claim] of fresh) {
      held.set(eventId, claim);
      winners.push(claim);
    }
    return judged;
  });
  return { verdicts, winners };
}
