import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { insertStatement } from '../insert-statement.js';
import type { SnapshotRows } from './snapshot-checksum.js';

export const insert_adoption_rows = insertStatement('adoption_rows', [
  'epoch',
  'checksum',
  'period',
  'position',
  'tool_id',
  'tool_slug',
  'category_slug',
  'status',
  'rank',
  'score',
  'body',
]);

export const stored_epochs = `
SELECT DISTINCT partition
FROM system.parts
WHERE database = currentDatabase() AND table = 'adoption_rows' AND active`;

export class AdoptionRowsWriter {
  constructor(private readonly clickhouse: Clickhouse) {}

  /** Stores a snapshot; nobody reads it before the pointer names it. Repeating it is harmless. */
  async write(epoch: number, checksum: string, snapshot: SnapshotRows): Promise<void> {
    const lines = [...snapshot].flatMap(([period, rows]) =>
      rows.map((row, position) => {
        const { tool, status, rank, score } = row;
        const columns = [tool.id, tool.slug, tool.categorySlug, status, rank, score?.value ?? null];
        const values = [epoch, checksum, period, position, ...columns, JSON.stringify(row)];
        return `${JSON.stringify(values)}\n`;
      }),
    );
    if (lines.length > 0) await this.clickhouse.insert(insert_adoption_rows, [lines.join('')]);
  }

  /** Drops the snapshots of all epochs below `oldestKept`. */
  async prune(oldestKept: number): Promise<void> {
    const stored = await this.clickhouse.rows<{ partition: string }>(stored_epochs);
    const old = stored.filter(({ partition }) => Number(partition) < oldestKept);
    if (old.length === 0) return;
    const drops = old.map(({ partition }) => `DROP PARTITION ${Number(partition)}`);
    await this.clickhouse.run(`ALTER TABLE adoption_rows ${drops.join(', ')}`);
  }
}
