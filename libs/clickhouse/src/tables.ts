import { openClickhouse, type ClickhouseOptions } from './clickhouse.js';
import type { Topology } from './topology.js';

/** A table's DDL; one source renders the form for each topology. */
export type TableDdl = (topology: Topology) => string;

/** ` ON CLUSTER …` where there is one, for DDL on every server of it. */
export function onCluster(topology: Topology): string {
  return topology.kind === 'single' ? '' : ` ON CLUSTER '${topology.cluster}'`;
}

/** An engine of the MergeTree family: `engine('ReplacingMergeTree', ['version'], topology)`. */
export function engine(name: string, columns: readonly string[], topology: Topology): string {
  if (topology.kind === 'single') return `${name}(${columns.join(', ')})`;
  const place = ["'/clickhouse/tables/{shard}/{database}/{table}'", "'{replica}'"];
  return `Replicated${name}(${[...place, ...columns].join(', ')})`;
}

/** Creates the database and whatever tables are missing; existing ones stay as they are. */
export async function applyTables(
  options: ClickhouseOptions,
  tables: readonly TableDdl[],
): Promise<void> {
  const clickhouse = openClickhouse(options);
  const { topology } = clickhouse;
  const server = openClickhouse({ ...options, database: 'default' });
  try {
    await server.run(`CREATE DATABASE IF NOT EXISTS ${clickhouse.database}${onCluster(topology)}`);
    for (const table of tables) await clickhouse.run(table(topology));
  } finally {
    await Promise.all([server.close(), clickhouse.close()]);
  }
}
