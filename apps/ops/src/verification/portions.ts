import { murmur2 } from '#event-log/partitioner.js';
import { verification_limits } from './limits.js';

/**
 * A part of the event ids that is looked at in one go, so that memory does not grow with the log.
 *
 * Received and accepted events have the same key, the event id, and the same number of partitions:
 * all records of an id are in the partition of one number in both topics. So the log is read
 * partition by partition; a partition of more records than fit is read several times, each time
 * for another slice of its ids. With n records in P partitions and m in a portion that is
 * ceil(n / P / m) reads of the whole log: one up to 6 × 250 000 = 1.5 million records, seven for
 * ten million. When partitions were added to a topic, ids may be in two of them; then all
 * partitions are one, and the log is read ceil(n / m) times.
 */
export interface Portion {
  readonly partitions: readonly number[];
  /** Which of `slices` slices of the ids, from 0. */
  readonly slice: number;
  readonly slices: number;
}

const prefix_count = 2 ** 32;
const prefix_digits = 8;
const hexadecimal = /^[0-9a-f]{8}-/;

/**
 * The slice of a key. Ids are cut into ranges by their first 32 bits, which are evenly spread
 * (event ids are hashes), so that claims can be read by the same ranges. Keys that are no ids, of
 * records that nobody can read, are spread by their hash.
 */
export function sliceOf(key: string, slices: number): number {
  if (slices === 1) return 0;
  const prefix = hexadecimal.test(key)
    ? Number.parseInt(key.slice(0, prefix_digits), 16)
    : murmur2(Buffer.from(key)) >>> 0;
  return Math.floor((prefix * slices) / prefix_count);
}

/** The first 8 hex digits of the first id of a slice; null where the last slice has ended. */
export function firstPrefixOf(slice: number, slices: number): string | null {
  const prefix = Math.ceil((slice * prefix_count) / slices);
  return prefix >= prefix_count ? null : prefix.toString(16).padStart(prefix_digits, '0');
}

/**
 * The portions of a log in the order in which they are looked at. `records` holds the records of
 * each partition, of all topics that are remembered; `scattered` says that partitions were added.
 */
export function portionsOf(
  records: ReadonlyMap<number, number>,
  scattered: boolean,
  recordsMax: number = verification_limits.portion_records_max,
): readonly Portion[] {
  const numbers = [...records.keys()].sort((one, other) => one - other);
  const groups = scattered ? [numbers] : numbers.map((partition) => [partition]);
  return groups.flatMap((partitions) => {
    const size = partitions.reduce((sum, partition) => sum + records.get(partition)!, 0);
    const slices = Math.max(1, Math.ceil(size / recordsMax));
    return Array.from({ length: slices }, (_, slice) => ({ partitions, slice, slices }));
  });
}
