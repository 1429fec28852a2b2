import type { EntityManager } from 'typeorm';
import { identity_limits } from '#domain/limits.js';
import { signedKey, unsignedKey } from './dev-key.js';

/**
 * How many hashes each key stands for, counted no further than tells that there is no room: what
 * was linked before there was a limit may be many.
 */
export async function developerSizes(
  manager: EntityManager,
  keys: Iterable<string>,
): Promise<Map<string, number>> {
  const asked = [...new Set(keys)];
  if (asked.length === 0) return new Map();
  const rows = await manager.query<{ dev_key: string; size: number }[]>(
    `select asked.dev_key::text as dev_key,
            (select count(*)::int from (
               select from developer_identity as identity
               where identity.dev_key = asked.dev_key limit $2) as counted) as size
     from unnest($1::bigint[]) as asked (dev_key)`,
    [asked.map(signedKey), identity_limits.hashes_of_developer_max],
  );
  return new Map(rows.map(({ dev_key, size }) => [unsignedKey(dev_key), size]));
}
