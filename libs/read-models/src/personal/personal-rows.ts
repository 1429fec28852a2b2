import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { reachFaultPoint } from '#runtime/fault-points.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';
import { storedAdoptionVersions } from '../adoption-version/stored-versions.js';
import { days_of_keys } from '../developer-alias/developer-alias.writer.js';
import type { PersonalTable } from './personal-table.js';
import { personalTables } from './personal-tables.js';

/** Keys named by one statement; they travel in its address. */
const keys_per_statement_max = 500;

export const countPersonalRows = ({ table, devKeyColumn }: PersonalTable): string => `
SELECT toUInt32(count()) AS count
FROM ${table}
WHERE ${devKeyColumn} IN {keys:Array(UInt64)}`;

export const stored_tables = `
SELECT name
FROM system.tables
WHERE database = currentDatabase()`;

/** Rewrites the parts that hold such rows and returns when every replica has done so. */
export const deletePersonalRows = ({ table, devKeyColumn }: PersonalTable): string => `
ALTER TABLE ${table}
DELETE WHERE ${devKeyColumn} IN {keys:Array(UInt64)}
SETTINGS mutations_sync = 2`;

/**
 * The rows of single developers, over every table that has such rows. The column store itself is
 * asked which versions it has: what a rebuild left half-done is erased like anything else, also
 * while some of its tables are not made yet or dropped already.
 */
export class PersonalRows {
  constructor(private readonly clickhouse: Clickhouse) {}

  /** How many rows each table has under these keys; copies that have not collapsed yet count. */
  async count(devKeys: readonly string[]): Promise<Readonly<Record<string, number>>> {
    const counts: Record<string, number> = {};
    for (const personal of await this.tables()) {
      const sql = countPersonalRows(personal);
      let rows = 0;
      for (const keys of chunksOf(devKeys)) {
        rows += (await this.clickhouse.rows<{ count: number }>(sql, { keys }))[0]!.count;
      }
      counts[personal.table] = rows;
    }
    return counts;
  }

  /** UTC days of the events that a version has under these keys. */
  async days(tables: AdoptionTables, devKeys: readonly string[]): Promise<readonly string[]> {
    const days = new Set<string>();
    for (const keys of chunksOf(devKeys)) {
      const rows = await this.clickhouse.rows<{ day: string }>(days_of_keys, {
        ...tables,
        keys,
      });
      for (const { day } of rows) days.add(day);
    }
    return [...days].sort();
  }

  /** Deletes the rows under these keys, table by table; repeating it is harmless. */
  async erase(devKeys: readonly string[]): Promise<void> {
    for (const personal of await this.tables()) {
      for (const keys of chunksOf(devKeys)) {
        await this.clickhouse.run(deletePersonalRows(personal), { keys });
      }
      await reachFaultPoint('erasure_after_table');
    }
  }

  private async tables(): Promise<readonly PersonalTable[]> {
    const stored = await this.clickhouse.rows<{ name: string }>(stored_tables);
    const names = new Set(stored.map(({ name }) => name));
    const tables = personalTables(await storedAdoptionVersions(this.clickhouse));
    return tables.filter(({ table }) => names.has(table));
  }
}

function chunksOf(keys: readonly string[]): readonly (readonly bigint[])[] {
  const chunks: (readonly bigint[])[] = [];
  for (let start = 0; start < keys.length; start += keys_per_statement_max) {
    chunks.push(keys.slice(start, start + keys_per_statement_max).map(BigInt));
  }
  return chunks;
}
