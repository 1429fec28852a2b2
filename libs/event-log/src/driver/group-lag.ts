import type { GroupLag, PartitionRange } from '../event-log.js';

/**
 * What a group has not committed, by partition: `high - committed`, or all that is kept where it
 * never committed. `ranges` are to be read after `committed`: the lag may come out a little too
 * large then, but never below zero.
 */
export function groupLag(
  committed: ReadonlyMap<number, bigint>,
  ranges: readonly PartitionRange[],
): GroupLag[] {
  return ranges.map(({ partition, low, high }) => {
    const position = committed.get(partition) ?? null;
    return { partition, committed: position, high, lag: high - (position ?? low) };
  });
}
