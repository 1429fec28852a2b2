/** A member of a group as its leader sees it. */
export interface SharingMember {
  readonly id: string;
  readonly topics: readonly string[];
  /** Partitions by topic that it owns now, those included that it is about to give up. */
  readonly owned: ReadonlyMap<string, readonly number[]>;
}

export type Share = Map<string, number[]>;

/**
 * Splits the partitions of every topic fairly among the members that subscribe to it: every one
 * gets the same number, give or take one, and keeps what it has as far as that allows. A partition
 * that is to move is given to nobody: its owner finishes with it first, joins again without it, and
 * then it is free. Two members and three partitions that the first owns: it keeps two of them.
 * @param partitions how many each topic has.
 */
export function shareOut(
  members: readonly SharingMember[],
  partitions: ReadonlyMap<string, number>,
): Map<string, Share> {
  const shares = new Map(members.map(({ id }) => [id, new Map<string, number[]>()]));
  [...partitions.keys()].sort().forEach((topic, rotation) => {
    const subscribers = members.filter(({ topics }) => topics.includes(topic));
    const split = shareTopic(topic, partitions.get(topic)!, subscribers, rotation);
    for (const [id, share] of split) shares.get(id)!.set(topic, share);
  });
  return shares;
}

function shareTopic(
  topic: string,
  count: number,
  subscribers: readonly SharingMember[],
  rotation: number,
): Map<string, number[]> {
  const members = subscribers.toSorted((one, other) => (one.id < other.id ? -1 : 1));
  const owner = new Map<number, string>();
  for (const { id, owned } of members) {
    for (const partition of owned.get(topic) ?? []) {
      if (partition < count && !owner.has(partition)) owner.set(partition, id);
    }
  }
  const ownedBy = (id: string): number[] => [...owner.keys()].filter((at) => owner.get(at) === id);
  // The odd ones of several topics go to different members, unless somebody has one already.
  const rank = (index: number): number => (index + rotation) % members.length;
  const inLine = members
    .map(({ id }, index) => ({ id, owned: ownedBy(id).sort((a, b) => a - b), rank: rank(index) }))
    .sort((one, other) => other.owned.length - one.owned.length || one.rank - other.rank);
  const least = Math.floor(count / members.length);
  const free = Array.from({ length: count }, (_, at) => at).filter((at) => !owner.has(at));
  return new Map(
    inLine.map(({ id, owned }, place) => {
      const quota = least + (place < count % members.length ? 1 : 0);
      const kept = owned.slice(0, quota);
      return [id, [...kept, ...free.splice(0, quota - kept.length)]];
    }),
  );
}
