import { engine, onCluster, type TableDdl } from '#clickhouse/tables.js';

/**
 * Which product counts for which tool, under each state of the catalogue that an epoch used. The
 * truth is in Postgres; this copy lets one query map products to tools, however many there are.
 */
export const catalogueProductTable: TableDdl = (topology) => `
CREATE TABLE IF NOT EXISTS catalogue_product_v1${onCluster(topology)}
(
    fingerprint String,
    product_id UUID,
    tool_id UUID,
    written_at DateTime DEFAULT now()
)
ENGINE = ${engine('ReplacingMergeTree', ['written_at'], topology)}
ORDER BY (fingerprint, product_id)
TTL written_at + INTERVAL 7 DAY`;
