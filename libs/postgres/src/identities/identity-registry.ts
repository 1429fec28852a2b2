import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { signedKey } from './dev-key.js';
import {
  find_identities_sql,
  fromKnownKeys,
  register_identities_sql,
  toIdentityBlock,
  type DeveloperKeys,
} from './identity-block.js';
import { linkHashes, type LinkedHashes } from './identity-links.js';

/** The keyed hashes that one event carries of its developer; at least one is present. */
export interface DeveloperHashes {
  readonly developerHash: string | null;
  readonly emailHash: string | null;
}

interface KnownAnswer {
  readonly known: Buffer | null;
}

interface RegisterAnswer extends KnownAnswer {
  readonly added: number;
}

/** Each try sees what met the one before it, so the second already finds everything. */
const register_tries_max = 5;

/**
 * Gives every developer a random 64-bit key. Only the key reaches the column store, and nothing
 * leads from it back to a person but this table, so deleting rows here erases a person.
 */
export class IdentityRegistry {
  constructor(private readonly database: DataSource) {}

  /**
   * The keys of these developers in input order, as decimal strings; unknown ones are registered.
   * An id and an e-mail that arrive together become one developer: whichever of them is known
   * already gives its key to the other. When both are known under two keys, the keys are linked.
   */
  async resolve(developers: readonly DeveloperHashes[]): Promise<readonly string[]> {
    const known = await this.find(pairedHashes(developers));
    const offered = new Map<string, bigint>();
    const randomKey = randomKeys(developers.length);
    const keyOf = (hash: string | null) =>
      hash === null ? undefined : (known.get(hash) ?? offered.get(hash));
    for (const { developerHash, emailHash } of developers) {
      const key = keyOf(developerHash) ?? keyOf(emailHash) ?? randomKey();
      for (const hash of [developerHash, emailHash]) {
        if (hash !== null && keyOf(hash) === undefined) offered.set(hash, key);
      }
    }
    const settled = await this.register(offered);
    const settledKey = (hash: string) => known.get(hash) ?? settled.get(hash);
    const linked = await this.link(developers, settledKey);
    return developers.map(({ developerHash, emailHash }) => {
      const hash = developerHash ?? emailHash ?? '';
      const key = linked.get(hash) ?? settledKey(hash)?.toString();
      if (key === undefined) throw new Error('A developer without a hash has no key.');
      return key;
    });
  }

  /** Takes keys away from whoever has them; only for keys whose rows are erased. */
  async forget(devKeys: readonly string[]): Promise<void> {
    await this.database.query('delete from developer_identity where dev_key = any($1::bigint[])', [
      devKeys.map(signedKey),
    ]);
  }

  /** Links developers whose id and e-mail have different keys; answers with the keys of those. */
  private async link(
    developers: readonly DeveloperHashes[],
    keyOf: (hash: string) => bigint | undefined,
  ): Promise<ReadonlyMap<string, string>> {
    const pairs: LinkedHashes[] = [];
    for (const { developerHash, emailHash } of developers) {
      if (developerHash === null || emailHash === null) continue;
      if (keyOf(developerHash) !== keyOf(emailHash)) pairs.push([developerHash, emailHash]);
    }
    return pairs.length === 0 ? new Map() : linkHashes(this.database, pairs);
  }

  private async find(hashes: ReadonlySet<string>): Promise<DeveloperKeys> {
    if (hashes.size === 0) return new Map();
    const block = toIdentityBlock(new Map([...hashes].map((hash) => [hash, 0n])));
    const [answer] = await this.database.query<KnownAnswer[]>(find_identities_sql, [block]);
    return fromKnownKeys(answer!.known ?? Buffer.alloc(0), [...hashes]);
  }

  /** The keys that these hashes have from now on: the offered one where there was none. */
  private async register(offered: DeveloperKeys): Promise<DeveloperKeys> {
    if (offered.size === 0) return offered;
    const block = toIdentityBlock(offered);
    for (let attempt = 0; attempt < register_tries_max; attempt += 1) {
      const [answer] = await this.database.query<RegisterAnswer[]>(register_identities_sql, [
        block,
      ]);
      const known = fromKnownKeys(answer!.known ?? Buffer.alloc(0), [...offered.keys()]);
      // Two clerks may register one developer at once: the first row stays and both read it.
      if (known.size + answer!.added === offered.size) return new Map([...offered, ...known]);
    }
    throw new Error('Identities appear and disappear while they are registered.');
  }
}

/** Hashes of which one may already have the key that the other needs. */
function pairedHashes(developers: readonly DeveloperHashes[]): ReadonlySet<string> {
  const hashes = new Set<string>();
  for (const { developerHash, emailHash } of developers) {
    if (developerHash !== null && emailHash !== null) hashes.add(developerHash).add(emailHash);
  }
  return hashes;
}

/** Hands out up to `count` random keys; one draw of the generator for all of them. */
function randomKeys(count: number): () => bigint {
  const bytes = randomBytes(8 * count);
  let next = 0;
  return () => bytes.readBigUInt64BE(8 * next++);
}
