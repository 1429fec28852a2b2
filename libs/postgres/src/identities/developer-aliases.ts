import type { EntityManager } from 'typeorm';
import { unsignedKey } from './dev-key.js';

/** A key under which rows were written, and the key of the developer it belongs to. */
export interface DeveloperAlias {
  readonly devKey: string;
  readonly canonicalKey: string;
  /** Grows with every change of any alias. */
  readonly version: string;
}

/** The aliases that were made or changed after `version`, at most `limit`, oldest change first. */
export async function readAliasesAfter(
  manager: EntityManager,
  version: string,
  limit: number,
): Promise<readonly DeveloperAlias[]> {
  const rows = await manager.query<DeveloperAlias[]>(
    `select dev_key::text as "devKey", canonical_key::text as "canonicalKey",
            version::text as version
     from developer_alias where version > $1 order by version limit $2`,
    [version, limit],
  );
  return rows.map((alias) => ({
    devKey: unsignedKey(alias.devKey),
    canonicalKey: unsignedKey(alias.canonicalKey),
    version: alias.version,
  }));
}
