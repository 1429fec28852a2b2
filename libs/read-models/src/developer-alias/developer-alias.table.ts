import { engine, onCluster, type TableDdl } from '#clickhouse/tables.js';

/**
 * Keys that turned out to be another developer's, with that one's key. The truth is in Postgres;
 * this copy lets whoever counts developers count each of them once.
 */
export const developerAliasTable: TableDdl = (topology) => `
CREATE TABLE IF NOT EXISTS developer_alias_v1${onCluster(topology)}
(
    dev_key UInt64,
    canonical_key UInt64,
    version UInt64
)
ENGINE = ${engine('ReplacingMergeTree', ['version'], topology)}
ORDER BY dev_key`;
