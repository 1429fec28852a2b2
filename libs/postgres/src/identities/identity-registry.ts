import { randomBytes } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { signedKey, unsignedKey } from './dev-key.js';
import { linkHashes, type LinkedHashes } from './identity-links.js';

/** The keyed hashes that one event carries of its developer; at least one is present. */
export interface DeveloperHashes {
  readonly developerHash: string | null;
  readonly emailHash: string | null;
}

interface IdentityRow {
  readonly hash: string;
  readonly dev_key: string;
}

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
    const known = await this.find(developers);
    const fresh = new Map<string, string>();
    const randomKey = randomKeys(developers.length);
    const keyOf = (hash: string | null) =>
      hash === null ? undefined : (known.get(hash) ?? fresh.get(hash));
    for (const { developerHash, emailHash } of developers) {
      const key = keyOf(developerHash) ?? keyOf(emailHash) ?? randomKey();
      for (const hash of [developerHash, emailHash]) {
        if (hash !== null && keyOf(hash) === undefined) fresh.set(hash, key);
      }
    }
    // Two clerks may register one developer at once: the first row stays and both read it back.
    const settled = fresh.size === 0 ? known : await this.register(fresh, known);
    await this.link(developers, settled);
    return developers.map(({ developerHash, emailHash }) => {
      const key = settled.get(developerHash ?? emailHash ?? '');
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

  /** Links the developers whose id and e-mail have different keys, and corrects `settled`. */
  private async link(
    developers: readonly DeveloperHashes[],
    settled: Map<string, string>,
  ): Promise<void> {
    const pairs: LinkedHashes[] = [];
    for (const { developerHash, emailHash } of developers) {
      if (developerHash === null || emailHash === null) continue;
      if (settled.get(developerHash) !== settled.get(emailHash)) {
        pairs.push([developerHash, emailHash]);
      }
    }
    if (pairs.length === 0) return;
    for (const [hash, key] of await linkHashes(this.database, pairs)) settled.set(hash, key);
  }

  private async find(developers: readonly DeveloperHashes[]): Promise<Map<string, string>> {
    const hashes = new Set<string>();
    for (const { developerHash, emailHash } of developers) {
      if (developerHash !== null) hashes.add(developerHash);
      if (emailHash !== null) hashes.add(emailHash);
    }
    const rows = await this.database.query<IdentityRow[]>(
      `select encode(identity_hash, 'hex') as hash, dev_key::text as dev_key
       from developer_identity
       where identity_hash in (select decode(h, 'hex') from unnest($1::text[]) as h)`,
      [[...hashes]],
    );
    return new Map(rows.map(({ hash, dev_key }) => [hash, unsignedKey(dev_key)]));
  }

  private async register(
    fresh: ReadonlyMap<string, string>,
    known: ReadonlyMap<string, string>,
  ): Promise<Map<string, string>> {
    const entries = [...fresh].sort(([one], [other]) => (one < other ? -1 : 1));
    const rows = await this.database.query<IdentityRow[]>(
      `with offered as (
         select decode(h, 'hex') as identity_hash, k::bigint as dev_key
         from unnest($1::text[], $2::text[]) as t (h, k)
       ), inserted as (
         insert into developer_identity (identity_hash, dev_key)
         select identity_hash, dev_key from offered order by identity_hash
         on conflict (identity_hash) do update set dev_key = developer_identity.dev_key
         returning identity_hash, dev_key
       )
       select encode(identity_hash, 'hex') as hash, dev_key::text as dev_key from inserted`,
      [entries.map(([hash]) => hash), entries.map(([, key]) => signedKey(key))],
    );
    const settled = new Map(known);
    for (const { hash, dev_key } of rows) settled.set(hash, unsignedKey(dev_key));
    return settled;
  }
}

/** Hands out up to `count` random keys; one draw of the generator for all of them. */
function randomKeys(count: number): () => string {
  const bytes = randomBytes(8 * count);
  let next = 0;
  return () => bytes.readBigUInt64BE(8 * next++).toString();
}
