import { randomBytes } from 'node:crypto';
import { identity_limits } from '#domain/limits.js';
import type { DeveloperHashes } from './developer-hashes.js';
import type { DeveloperKeys } from './identity-block.js';

export interface OfferedKeys {
  /** Hash → the key that it gets if it is not registered by then. */
  readonly offered: DeveloperKeys;
  /** Known hashes whose developer had no room for what came with them. */
  readonly shared: readonly string[];
}

/** The keys of known hashes that come with an unknown one, which would share them. */
export function keysToJoin(
  developers: readonly DeveloperHashes[],
  known: DeveloperKeys,
): readonly string[] {
  return developers.flatMap(({ developerHash, emailHash }) => {
    if (developerHash === null || emailHash === null) return [];
    const [one, other] = [known.get(developerHash), known.get(emailHash)];
    return (one === undefined) === (other === undefined) ? [] : [(one ?? other)!.toString()];
  });
}

/**
 * Keys for the hashes that have none: the one of what they come with, as long as its developer has
 * room, else a random one. `sizes`: key → hashes that it stands for, of keys that may be joined.
 */
export function offerKeys(
  developers: readonly DeveloperHashes[],
  known: DeveloperKeys,
  sizes: Map<string, number>,
): OfferedKeys {
  const offered = new Map<string, bigint>();
  const shared: string[] = [];
  const randomKey = randomKeys(developers.length);
  const keyOf = (hash: string) => known.get(hash) ?? offered.get(hash);
  const offer = (hash: string, key: bigint) => {
    offered.set(hash, key);
    sizes.set(key.toString(), (sizes.get(key.toString()) ?? 0) + 1);
  };
  for (const { developerHash, emailHash } of developers) {
    const hashes = [developerHash, emailHash].filter((hash) => hash !== null);
    const unknown = hashes.filter((hash) => keyOf(hash) === undefined);
    if (unknown.length === 0) continue;
    const partner = hashes.find((hash) => !unknown.includes(hash));
    const joined = partner === undefined ? randomKey() : keyOf(partner)!;
    const size = sizes.get(joined.toString()) ?? 0;
    const full = size >= identity_limits.hashes_of_developer_max;
    if (full && partner !== undefined) shared.push(partner);
    const key = full ? randomKey() : joined;
    for (const hash of unknown) offer(hash, key);
  }
  return { offered, shared };
}

/** Hands out up to `count` random keys; one draw of the generator for all of them. */
function randomKeys(count: number): () => bigint {
  const bytes = randomBytes(8 * count);
  let next = 0;
  return () => bytes.readBigUInt64BE(8 * next++);
}
