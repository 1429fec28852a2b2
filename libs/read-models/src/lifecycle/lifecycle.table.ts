import { engine, onCluster, type TableDdl } from '#clickhouse/tables.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';
import { evidence_type, kept_days } from '../column-types.js';

/**
 * When a developer first activated and was last seen to stay, over all days. Minimum and maximum
 * merge to the same whatever is inserted twice and in whatever order, so a day that is replayed or
 * late is simply inserted again. An activation counts as a sign of staying, too.
 */
export const lifecycleTable =
  ({ lifecycle }: AdoptionTables): TableDdl =>
  (topology) => `
CREATE TABLE IF NOT EXISTS ${lifecycle}${onCluster(topology)}
(
    product_id UUID,
    evidence ${evidence_type},
    dev_key UInt64,
    account_key UInt64,
    first_activation SimpleAggregateFunction(min, Nullable(DateTime64(3, 'UTC'))),
    last_retained SimpleAggregateFunction(max, DateTime64(3, 'UTC'))
)
ENGINE = ${engine('AggregatingMergeTree', [], topology)}
ORDER BY (product_id, evidence, dev_key, account_key)
TTL toDateTime(last_retained) + INTERVAL ${kept_days} DAY`;
