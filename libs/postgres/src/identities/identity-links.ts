import type { DataSource, EntityManager } from 'typeorm';
import { identity_limits } from '#domain/limits.js';
import { signedKey, smallerKey, unsignedKey } from './dev-key.js';
import { developerSizes } from './developer-sizes.js';
import { lockIdentities } from './identity-lock.js';

/** Two hashes that one event carried: they are one developer. */
export type LinkedHashes = readonly [developerHash: string, emailHash: string];

/** What came of pairs of hashes. */
export interface Links {
  /** Hash → key, of those that are registered. */
  readonly keys: ReadonlyMap<string, string>;
  /** Hashes of developers who would have got too many; their pairs are left as they were. */
  readonly shared: readonly string[];
}

/**
 * Makes one developer of each pair of hashes. Of two keys the smaller one wins, whatever the order
 * in which events arrive, so that links never form a circle; the other becomes its alias, and what
 * was an alias of that one follows. Hashes that were erased meanwhile are left alone, and so are
 * two developers who have more hashes together than one may have.
 */
export async function linkHashes(
  database: DataSource,
  pairs: readonly LinkedHashes[],
): Promise<Links> {
  return database.transaction(async (transaction) => {
    await lockIdentities(transaction);
    const hashes = [...new Set(pairs.flat())];
    await leaveAliases(transaction, hashes);
    const keys = await keysOf(transaction, hashes);
    const sizes = await developerSizes(transaction, keys.values());
    const { winners, shared } = winnersOf(pairs, keys, sizes);
    if (winners.size > 0) await moveTo(transaction, winners);
    return {
      keys: new Map([...keys].map(([hash, key]) => [hash, winners.get(key) ?? key])),
      shared,
    };
  });
}

/**
 * A clerk that had read a key just before it lost may have attached a hash to it since. The alias
 * that such a hash leaves gets a new version: it tells those who remember the hash that it moved.
 */
async function leaveAliases(transaction: EntityManager, hashes: readonly string[]): Promise<void> {
  await transaction.query(
    `with moved as (
       update developer_identity set dev_key = canonical_key from developer_alias
       where developer_alias.dev_key = developer_identity.dev_key
         and identity_hash in (select decode(h, 'hex') from unnest($1::text[]) as h)
       returning developer_alias.dev_key as left_key)
     update developer_alias set version = nextval('developer_alias_version')
     where dev_key in (select left_key from moved)`,
    [hashes],
  );
}

async function keysOf(
  transaction: EntityManager,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await transaction.query<{ hash: string; dev_key: string }[]>(
    `select encode(identity_hash, 'hex') as hash, dev_key::text as dev_key
     from developer_identity
     where identity_hash in (select decode(h, 'hex') from unnest($1::text[]) as h)`,
    [hashes],
  );
  return new Map(rows.map(({ hash, dev_key }) => [hash, unsignedKey(dev_key)]));
}

interface Winners {
  /** Losing key → winning key, over chains of pairs. */
  readonly winners: ReadonlyMap<string, string>;
  /** Of each pair that would make too large a developer, the hash of the larger one. */
  readonly shared: readonly string[];
}

function winnersOf(
  pairs: readonly LinkedHashes[],
  keys: ReadonlyMap<string, string>,
  sizes: Map<string, number>,
): Winners {
  const parents = new Map<string, string>();
  const shared: string[] = [];
  const rootOf = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    return root;
  };
  const sizeOf = (key: string) => sizes.get(key) ?? 0;
  for (const [developerHash, emailHash] of pairs) {
    const [one, other] = [keys.get(developerHash), keys.get(emailHash)];
    if (one === undefined || other === undefined) continue;
    const [left, right] = [rootOf(one), rootOf(other)];
    if (left === right) continue;
    const size = sizeOf(left) + sizeOf(right);
    if (size > identity_limits.hashes_of_developer_max) {
      shared.push(sizeOf(left) < sizeOf(right) ? emailHash : developerHash);
      continue;
    }
    const winner = smallerKey(left, right);
    parents.set(winner === left ? right : left, winner);
    sizes.set(winner, size);
  }
  const winners = new Map([...parents.keys()].map((loser) => [loser, rootOf(loser)]));
  return { winners, shared };
}

async function moveTo(
  transaction: EntityManager,
  winners: ReadonlyMap<string, string>,
): Promise<void> {
  const moves = [[...winners.keys()].map(signedKey), [...winners.values()].map(signedKey)];
  const moved = 'unnest($1::bigint[], $2::bigint[]) as moved (loser, winner)';
  // Registration locks rows in the order of their hashes; so does this.
  await transaction.query(
    `select from developer_identity where dev_key = any($1::bigint[])
     order by identity_hash for update`,
    moves.slice(0, 1),
  );
  await transaction.query(
    `update developer_identity set dev_key = winner from ${moved} where dev_key = loser`,
    moves,
  );
  await transaction.query(
    `update developer_alias set canonical_key = winner, version = nextval('developer_alias_version')
     from ${moved} where canonical_key = loser`,
    moves,
  );
  await transaction.query(
    `insert into developer_alias (dev_key, canonical_key) select loser, winner from ${moved}
     on conflict (dev_key) do update
     set canonical_key = excluded.canonical_key, version = excluded.version`,
    moves,
  );
}
