import { sameContent, type Claim } from './claim.js';

/** What one record of the log would claim, and what the clerk thought of it. */
export interface LoggedClaim {
  readonly claim: Claim;
  /**
   * `superseded`: another content held the id when the clerk came to it. `unnamed`: its event has
   * a name that the clerk does not know. All others stand.
   */
  readonly standing: 'stands' | 'superseded' | 'unnamed';
}

/** The claim that the log proves, and whether a rival is in it that nothing decides against. */
export interface ProvenClaim {
  readonly claim: Claim;
  readonly ambiguous: boolean;
}

/**
 * Which claim an id had, told from the records of that id in the order of the log, and from
 * `acceptedAt`, the time of receipt in the first accepted copy (null when there is none).
 *
 * Why this gives back the claim that was lost, case by case of the claim protocol:
 * - One record: its request claimed, or the clerk adopted it. Either way the claim is what it says.
 * - Several of one content (an answer was uncertain, the client tried again): the content is plain,
 *   the time is not. The clerk passes on the time of the claim and not of the record, so
 *   `acceptedAt` is the claim's time, whichever of the records it came from.
 * - Several contents, judged: the clerk has set aside as `superseded` all but the claimed one
 *   before it committed, so the first that stands holds. Where that mark has expired, the record
 *   whose time is `acceptedAt` is the one that the claim was made for.
 * - Several contents, not judged yet: the claim alone knew which of them was acknowledged. Without
 *   it the clerk, who reads in order and adopts, lets the earlier hold; so does this, and says that
 *   it is `ambiguous`.
 * - Accepted nowhere (an erased developer, an unknown organization): the first that stands.
 * - Nothing but unnamed records: the door claims before anybody looks at the name, and a retry must
 *   go on to be a duplicate of the event in the quarantine. Beside a record that stands they never
 *   hold: the clerk adopts none of them.
 * Null when every record is superseded: the record of the claim is not in the log any more.
 */
export function provenClaim(
  records: readonly LoggedClaim[],
  acceptedAt: number | null,
): ProvenClaim | null {
  const named = records.filter(({ standing }) => standing === 'stands');
  const unnamed = records.filter(({ standing }) => standing === 'unnamed');
  const candidates = (named.length > 0 ? named : unnamed).map(({ claim }) => claim);
  const [first] = candidates;
  if (first === undefined) return null;
  const accepted = candidates.find(({ receivedAt }) => receivedAt === acceptedAt);
  const holder = accepted ?? first;
  const rivals = candidates.filter((claim) => !sameContent(claim, holder));
  return {
    claim: acceptedAt === null ? holder : { ...holder, receivedAt: acceptedAt },
    ambiguous: rivals.some(({ receivedAt }) => accepted === undefined || receivedAt === acceptedAt),
  };
}
