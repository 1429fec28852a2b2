import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { signedKey } from './dev-key.js';
import { isSameGeneration, type IdentityGeneration } from './identity-generation.js';
import {
  find_identities_sql,
  fromKnownKeys,
  register_identities_sql,
  toIdentityBlock,
  type DeveloperKeys,
} from './identity-block.js';
import { linkHashes, type LinkedHashes } from './identity-links.js';
import { readIdentityPages } from './identity-pages.js';
import { RememberedIdentities } from './remembered-identities.js';

/** The keyed hashes that one event carries of its developer; at least one is present. */
export interface DeveloperHashes {
  readonly developerHash: string | null;
  readonly emailHash: string | null;
}

interface KnownAnswer extends IdentityGeneration {
  readonly known: Buffer | null;
}

interface RegisterAnswer extends KnownAnswer {
  readonly added: number;
}

/** Hashes that a registry remembers unless it is told how many. */
const identities_remembered = 10_000;

/** Each try sees what met the one before it, so the second already finds everything. */
const register_tries_max = 5;

/**
 * Gives every developer a random 64-bit key. Only the key reaches the column store, and nothing
 * leads from it back to a person but this table, so deleting rows here erases a person. Whom it
 * has met it remembers, as far as nobody linked or erased them since.
 */
export class IdentityRegistry {
  private readonly remembered: RememberedIdentities;

  constructor(
    private readonly database: DataSource,
    identitiesRememberedMax: number = identities_remembered,
  ) {
    this.remembered = new RememberedIdentities(database, identitiesRememberedMax);
  }

  /**
   * The keys of these developers in input order, as decimal strings; unknown ones are registered.
   * An id and an e-mail that arrive together become one developer: whichever of them is known
   * already gives its key to the other. When both are known under two keys, the keys are linked.
   * The memory answers for a developer alone or not at all: whoever has a hash that it does not
   * hold, or two under different keys, is looked up as if there were none.
   */
  async resolve(developers: readonly DeveloperHashes[]): Promise<readonly string[]> {
    if (developers.length === 0) return [];
    const generation = await this.remembered.catchUp();
    const keys = developers.map(({ developerHash, emailHash }) =>
      this.remembered.keyOf(developerHash, emailHash)?.toString(),
    );
    const others = developers.filter((_, index) => keys[index] === undefined);
    if (others.length === 0) return keys as readonly string[];
    const settled = await this.lookUp(others, generation);
    const linked = await this.link(others, settled);
    return developers.map(({ developerHash, emailHash }, index) => {
      const hash = developerHash ?? emailHash ?? '';
      const key = linked.get(hash) ?? keys[index] ?? settled.get(hash)?.toString();
      if (key === undefined) throw new Error('A developer without a hash has no key.');
      return key;
    });
  }

  /** Takes keys away from whoever has them; only for keys whose rows are erased. */
  async forget(devKeys: readonly string[]): Promise<void> {
    await this.database.query('delete from developer_identity where dev_key = any($1::bigint[])', [
      devKeys.map(signedKey),
    ]);
    this.remembered.forget();
  }

  /**
   * Remembers the registry as it is, page by page, until the memory is full or `stop` says so, so
   * that a fresh process does not ask for everybody it meets. Answers with how many it remembers.
   */
  async recall(stop: AbortSignal): Promise<number> {
    for await (const page of readIdentityPages(this.database)) {
      if (stop.aborted || this.remembered.isFull) break;
      await this.remembered.keepPage(page);
    }
    return this.remembered.size;
  }

  /** Hash → key as the table has it, once those that it did not know are registered. */
  private async lookUp(
    developers: readonly DeveloperHashes[],
    generation: IdentityGeneration,
  ): Promise<DeveloperKeys> {
    const known = await this.find(pairedHashes(developers), generation);
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
    const settled = await this.register(offered, generation);
    return new Map([...known, ...settled]);
  }

  /** Links developers whose id and e-mail have different keys; answers with the keys of those. */
  private async link(
    developers: readonly DeveloperHashes[],
    keys: DeveloperKeys,
  ): Promise<ReadonlyMap<string, string>> {
    const pairs: LinkedHashes[] = [];
    for (const { developerHash, emailHash } of developers) {
      if (developerHash === null || emailHash === null) continue;
      if (keys.get(developerHash) !== keys.get(emailHash)) pairs.push([developerHash, emailHash]);
    }
    return pairs.length === 0 ? new Map() : linkHashes(this.database, pairs);
  }

  private async find(
    hashes: ReadonlySet<string>,
    generation: IdentityGeneration,
  ): Promise<DeveloperKeys> {
    if (hashes.size === 0) return new Map();
    const block = toIdentityBlock(new Map([...hashes].map((hash) => [hash, 0n])));
    const [answer] = await this.database.query<KnownAnswer[]>(find_identities_sql, [block]);
    const known = fromKnownKeys(answer!.known ?? Buffer.alloc(0), [...hashes]);
    if (isSameGeneration(answer!, generation)) this.remembered.keep(generation, known);
    return known;
  }

  /**
   * The keys that these hashes have from now on: the offered one where there was none. An offered
   * key may have lost or been erased since it was found, so what is settled is remembered only
   * when nobody linked or erased in between.
   */
  private async register(
    offered: DeveloperKeys,
    generation: IdentityGeneration,
  ): Promise<DeveloperKeys> {
    if (offered.size === 0) return offered;
    const block = toIdentityBlock(offered);
    for (let attempt = 0; attempt < register_tries_max; attempt += 1) {
      const [answer] = await this.database.query<RegisterAnswer[]>(register_identities_sql, [
        block,
      ]);
      const known = fromKnownKeys(answer!.known ?? Buffer.alloc(0), [...offered.keys()]);
      // Two clerks may register one developer at once: the first row stays and both read it.
      if (known.size + answer!.added !== offered.size) continue;
      const settled = new Map([...offered, ...known]);
      if (isSameGeneration(answer!, generation)) this.remembered.keep(generation, settled);
      return settled;
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
