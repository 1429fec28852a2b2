export interface Roster {
  /** Every live member of the group, this one included. */
  readonly members: readonly number[];
  /** Who owns which partition now. */
  readonly owners: ReadonlyMap<number, number>;
}

export interface ShareDecision {
  /** Partitions to give up, so that others get their share. */
  readonly release: readonly number[];
  /** Free partitions to try, in this order, until `claimCount` are won. */
  readonly candidates: readonly number[];
  readonly claimCount: number;
}

/**
 * What one member does to reach a fair split of `partitions` (their count): every member may own
 * the same number, give or take one, and keeps what it has as far as that allows. The members
 * decide alone and still agree, because all see the same roster. `rotation` (a topic's id) spreads
 * the odd ones of several topics over different members.
 * Three members and seven partitions: 3, 2 and 2.
 */
export function fairShare(
  me: number,
  partitions: number,
  roster: Roster,
  rotation: number,
): ShareDecision {
  const members = [...new Set([...roster.members, me])].sort((one, other) => one - other);
  const rankOf = (member: number): number => (members.indexOf(member) + rotation) % members.length;
  const all = Array.from({ length: partitions }, (_, partition) => partition);
  const ownedBy = (member: number): number[] =>
    all.filter((partition) => roster.owners.get(partition) === member);

  const share = Math.floor(partitions / members.length);
  // Whoever has an odd one already keeps it: a member that joins moves nothing needlessly.
  const firstInLine = members.toSorted(
    (one, other) => ownedBy(other).length - ownedBy(one).length || rankOf(one) - rankOf(other),
  );
  const quota = share + (firstInLine.indexOf(me) < partitions % members.length ? 1 : 0);
  const mine = ownedBy(me);
  // Members begin at different places, so that they seldom try for the same partition.
  const start = rankOf(me) * share;
  const free = [...all.slice(start), ...all.slice(0, start)].filter(
    (partition) => !roster.owners.has(partition),
  );
  return {
    release: mine.slice(quota),
    candidates: free,
    claimCount: Math.max(0, quota - mine.length),
  };
}
