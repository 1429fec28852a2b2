import { engine, onCluster, type TableDdl } from '#clickhouse/tables.js';

/**
 * The published snapshots. Rows belong to an attempt, named by the checksum of what it holds: what
 * a crashed attempt left is never mixed into the one that the pointer in Postgres names.
 */
export const adoptionRowsTable: TableDdl = (topology) => `
CREATE TABLE IF NOT EXISTS adoption_rows${onCluster(topology)}
(
    epoch UInt64,
    checksum String,
    period LowCardinality(String),
    position UInt32,
    tool_id UUID,
    tool_slug String,
    category_slug LowCardinality(String),
    status LowCardinality(String),
    rank Nullable(UInt32),
    score Nullable(Float64),
    body String CODEC(ZSTD(1))
)
ENGINE = ${engine('ReplacingMergeTree', [], topology)}
PARTITION BY epoch
ORDER BY (checksum, period, position)`;
