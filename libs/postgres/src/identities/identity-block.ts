import { generation_columns } from './identity-generation.js';

/**
 * Layout of one identity in the block that carries many of them to Postgres as one binary
 * parameter: hash 32, developer key 8. Offsets are zero-based here, one-based in SQL.
 */
const hash_bytes = 32;
const identity_bytes = 40;

/** Layout of one answer: where its identity begins in the block (one-based) 4, developer key 8. */
const answer_bytes = 12;

/** Identity hashes, each 64 hex digits, with developer keys, each an unsigned 64-bit number. */
export type DeveloperKeys = ReadonlyMap<string, bigint>;

/** Packs identities in the order given. */
export function toIdentityBlock(identities: DeveloperKeys): Buffer {
  const block = Buffer.alloc(identities.size * identity_bytes);
  let at = 0;
  for (const [hash, key] of identities) {
    const written = block.write(hash, at, 'hex');
    if (written !== hash_bytes) throw new RangeError('An identity hash has 64 hex digits.');
    block.writeBigUInt64BE(key, at + hash_bytes);
    at += identity_bytes;
  }
  return block;
}

/** The keys in an answer of `known_identities_sql`, given the hashes of the block in its order. */
export function fromKnownKeys(answer: Buffer, hashes: readonly string[]): Map<string, bigint> {
  const keys = new Map<string, bigint>();
  for (let at = 0; at < answer.length; at += answer_bytes) {
    const index = (answer.readInt32BE(at) - 1) / identity_bytes;
    keys.set(hashes[index]!, answer.readBigUInt64BE(at + 4));
  }
  return keys;
}

/** Looks the identities of the block `$1` up: `stands_at`, `identity_hash`, `dev_key` or null. */
const looked_up_sql = `
  select stands_at, identity_hash,
    (select dev_key from developer_identity d where d.identity_hash = o.identity_hash) as dev_key
  from (
    select stands_at, substring($1::bytea from stands_at for ${hash_bytes}) as identity_hash
    from generate_series(1, length($1::bytea), ${identity_bytes}) as stands_at
  ) as o`;

/** The keys of the looked up identities that have one, packed. */
const known_keys_sql = `
  select string_agg(int4send(stands_at) || int8send(dev_key), ''::bytea)
  from looked_up where dev_key is not null`;

/** `known`: the packed keys of those identities of the block `$1` that are registered. */
export const find_identities_sql = `
  with looked_up as (${looked_up_sql})
  select (${known_keys_sql}) as known, ${generation_columns}`;

/**
 * Registers the identities of the block `$1` that are not yet. `added`: how many those were;
 * `known`: the packed keys of those that were there before. An identity in neither was registered
 * by somebody else in this moment. Sorted, so that statements which share identities take them in
 * one order and cannot deadlock.
 */
export const register_identities_sql = `
  with looked_up as materialized (${looked_up_sql}),
  added as (
    insert into developer_identity (identity_hash, dev_key)
    select identity_hash,
      ('x' || encode(substring($1::bytea from stands_at + ${hash_bytes} for 8), 'hex'))
        ::bit(64)::bigint
    from looked_up where dev_key is null
    order by identity_hash
    on conflict (identity_hash) do nothing
    returning 1
  )
  select (select count(*)::int from added) as added, (${known_keys_sql}) as known,
    ${generation_columns}`;
