/** What may become of a received record; together they are all records that were received. */
export const received_fates = [
  'accepted',
  'duplicate',
  'superseded',
  'quarantined',
  'erased',
  'pending',
  'outside_retention',
] as const;

export type ReceivedFate = (typeof received_fates)[number];

/** Fates that no record may have: nobody can say where it is, or two contents of one id stand. */
export type BrokenFate = 'lost' | 'contradicted';

/** What the log, the quarantine and the erasure ledger say of one received record. */
export interface ReceivedFacts {
  /** Why this very record was set aside; null when it was not. */
  readonly setAside: string | null;
  /** The id is among the accepted events. */
  readonly accepted: boolean;
  /**
   * The earlier record of the id that stands as the accepted one: says the same, says another
   * thing, or there is none yet.
   */
  readonly earlier: 'none' | 'same' | 'other';
  /** It is below what the clerk has committed. */
  readonly judged: boolean;
  /** It belongs to an erased developer, or repeats a record that does. */
  readonly erased: boolean;
  /** It is so old that what was accepted of it may have been removed by retention. */
  readonly acceptedExpired: boolean;
  /** It is so old that its copy in the quarantine may have been removed by retention. */
  readonly quarantineExpired: boolean;
}

/**
 * What became of a received record. A mark of the quarantine speaks for this record alone and comes
 * first; then the id; what the clerk has not judged yet is merely pending. A record that nothing
 * accounts for is lost, and one that stands beside another content of its id contradicts it: the
 * clerk sets all but one content aside before it commits.
 */
export function fateOf(facts: ReceivedFacts): ReceivedFate | BrokenFate {
  if (facts.setAside !== null) {
    return facts.setAside === 'superseded' ? 'superseded' : 'quarantined';
  }
  if (facts.accepted) {
    if (facts.earlier === 'none') return 'accepted';
    if (facts.earlier === 'same') return 'duplicate';
    if (!facts.judged) return 'pending';
    return facts.quarantineExpired ? 'outside_retention' : 'contradicted';
  }
  if (!facts.judged) return 'pending';
  if (facts.erased) return 'erased';
  return facts.acceptedExpired || facts.quarantineExpired ? 'outside_retention' : 'lost';
}
