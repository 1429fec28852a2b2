/** How far a consumer group is: partition → one past the last record it has finished. */
export type GroupVector = ReadonlyMap<number, bigint>;

/**
 * Whether a group has finished everything that another one had finished at `vector`. A partition
 * that is not named stands at its beginning: `hasReached(new Map(), new Map([[0, 1n]])) === false`.
 */
export function hasReached(group: GroupVector, vector: GroupVector): boolean {
  return [...vector].every(([partition, next]) => (group.get(partition) ?? 0n) >= next);
}

/** What both of two groups have finished: the smaller offset of each partition, else 0. */
export function finishedByBoth(one: GroupVector, other: GroupVector): GroupVector {
  const partitions = new Set([...one.keys(), ...other.keys()]);
  return new Map(
    [...partitions].map((partition) => {
      const [a, b] = [one.get(partition) ?? 0n, other.get(partition) ?? 0n];
      return [partition, a < b ? a : b];
    }),
  );
}

/** The offsets as a list by partition, from 0 on: `[[1, 5n]]` → `[0n, 5n]`. */
export function offsetList(vector: GroupVector): readonly bigint[] {
  const length = Math.max(-1, ...vector.keys()) + 1;
  return Array.from({ length }, (_, partition) => vector.get(partition) ?? 0n);
}

/** As it is kept in JSON: `[[1, 5n]]` → `{ "1": "5" }`. */
export function toOffsetTexts(vector: GroupVector): Readonly<Record<string, string>> {
  return Object.fromEntries([...vector].map(([partition, next]) => [partition, String(next)]));
}

/** Reads what `toOffsetTexts` wrote. */
export function fromOffsetTexts(texts: Readonly<Record<string, string>>): GroupVector {
  return new Map(
    Object.entries(texts).map(([partition, next]) => [Number(partition), BigInt(next)]),
  );
}
