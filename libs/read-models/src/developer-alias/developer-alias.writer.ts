import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';
import { insertStatement } from '../insert-statement.js';

export const insert_aliases = insertStatement('developer_alias_v1', [
  'dev_key',
  'canonical_key',
  'version',
]);

export const latest_alias = `
SELECT toString(max(version)) AS version
FROM developer_alias_v1`;

export const days_of_keys = `
SELECT DISTINCT toString(toDate(occurred_at)) AS day
FROM {usage_events:Identifier}
WHERE dev_key IN {keys:Array(UInt64)}
ORDER BY day`;

/** A key, the key of the developer it belongs to, and the version of that statement. */
export interface AliasRow {
  readonly devKey: string;
  readonly canonicalKey: string;
  readonly version: string;
}

/** Copies aliases into the column store; what is there says how far the copy is. */
export class DeveloperAliasWriter {
  constructor(private readonly clickhouse: Clickhouse) {}

  /** The newest version that is stored; 0 for none. */
  async version(): Promise<string> {
    const [row] = await this.clickhouse.rows<{ version: string }>(latest_alias);
    return row?.version ?? '0';
  }

  /** UTC days on which a version has rows under these keys; some hundreds of keys at once. */
  async daysOf(tables: AdoptionTables, keys: readonly string[]): Promise<readonly string[]> {
    const rows = await this.clickhouse.rows<{ day: string }>(days_of_keys, {
      ...tables,
      keys: keys.map(BigInt),
    });
    return rows.map(({ day }) => day);
  }

  async write(aliases: readonly AliasRow[]): Promise<void> {
    const lines = aliases.map(
      ({ devKey, canonicalKey, version }) => `${JSON.stringify([devKey, canonicalKey, version])}\n`,
    );
    await this.clickhouse.insert(insert_aliases, [lines.join('')]);
  }
}
