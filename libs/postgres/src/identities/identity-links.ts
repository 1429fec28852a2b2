import type { DataSource, EntityManager } from 'typeorm';
import { signedKey, smallerKey, unsignedKey } from './dev-key.js';
import { lockIdentities } from './identity-lock.js';

/** Two hashes that one event carried: they are one developer. */
export type LinkedHashes = readonly [developerHash: string, emailHash: string];

/**
 * Makes one developer of each pair of hashes. Of two keys the smaller one wins, whatever the order
 * in which events arrive, so that links never form a circle; the other becomes its alias, and what
 * was an alias of that one follows. Hashes that were erased meanwhile are left alone.
 * Answers with the keys of the hashes that are registered, hash → key.
 */
export async function linkHashes(
  database: DataSource,
  pairs: readonly LinkedHashes[],
): Promise<ReadonlyMap<string, string>> {
  return database.transaction(async (transaction) => {
    await lockIdentities(transaction);
    const hashes = [...new Set(pairs.flat())];
    await leaveAliases(transaction, hashes);
    const keys = await keysOf(transaction, hashes);
    const winners = winnersOf(pairs, keys);
    if (winners.size > 0) await moveTo(transaction, winners);
    return new Map([...keys].map(([hash, key]) => [hash, winners.get(key) ?? key]));
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

/** Losing key → winning key, over chains of pairs. */
function winnersOf(
  pairs: readonly LinkedHashes[],
  keys: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    return root;
  };
  for (const [developerHash, emailHash] of pairs) {
    const [one, other] = [keys.get(developerHash), keys.get(emailHash)];
    if (one === undefined || other === undefined) continue;
    const [left, right] = [rootOf(one), rootOf(other)];
    if (left === right) continue;
    const winner = smallerKey(left, right);
    parents.set(winner === left ? right : left, winner);
  }
  return new Map([...parents.keys()].map((loser) => [loser, rootOf(loser)]));
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
