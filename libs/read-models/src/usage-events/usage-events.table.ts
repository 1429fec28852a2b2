import { engine, onCluster, type TableDdl } from '#clickhouse/tables.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';
import { evidence_type, family_type, kept_days } from '../column-types.js';

/**
 * The raw truth: one row for every event, however often its message was delivered. Copies of an
 * event share the sorting key, and their month, so they collapse within one partition. Nothing
 * that mapping decides is in the key: a product registered between two deliveries moves the event
 * instead of doubling it.
 */
export const usageEventsTable =
  ({ usage_events }: AdoptionTables): TableDdl =>
  (topology) => `
CREATE TABLE IF NOT EXISTS ${usage_events}${onCluster(topology)}
(
    event_id UUID,
    organization_id UUID,
    product_id UUID,
    event_name LowCardinality(String),
    family ${family_type},
    dev_key UInt64,
    account_key UInt64,
    evidence ${evidence_type},
    campaign_id LowCardinality(String),
    campaign_source LowCardinality(String),
    occurred_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    received_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    tokens_consumed Nullable(UInt64) CODEC(T64, ZSTD(1)),
    credit_cents Nullable(UInt64) CODEC(T64, ZSTD(1)),
    latency_ms Nullable(UInt64) CODEC(T64, ZSTD(1)),
    retry_count Nullable(UInt64) CODEC(T64, ZSTD(1)),
    error_count Nullable(UInt64) CODEC(T64, ZSTD(1)),
    log_partition UInt16,
    log_offset UInt64 CODEC(T64, ZSTD(1)),
    row_version UInt64 CODEC(T64, ZSTD(1)),
    is_deleted UInt8
)
ENGINE = ${engine('ReplacingMergeTree', ['row_version', 'is_deleted'], topology)}
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (toDate(occurred_at), event_id)
TTL toDateTime(occurred_at) + INTERVAL ${kept_days} DAY`;
