import { engine, onCluster, type TableDdl } from '#clickhouse/tables.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';
import { evidence_type, family_type, kept_days } from '../column-types.js';

const devDayNamed =
  (name: string): TableDdl =>
  (topology) => `
CREATE TABLE IF NOT EXISTS ${name}${onCluster(topology)}
(
    day Date,
    product_id UUID,
    family ${family_type},
    account_key UInt64,
    dev_key UInt64,
    evidence ${evidence_type},
    events UInt32,
    first_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1)),
    last_at DateTime64(3, 'UTC') CODEC(Delta, ZSTD(1))
)
ENGINE = ${engine('MergeTree', [], topology)}
PARTITION BY day
ORDER BY (product_id, evidence, dev_key, account_key, family)
TTL day + INTERVAL ${kept_days} DAY`;

/** What each developer did on each UTC day; a day is only ever replaced as a whole. */
export const devDayTable = ({ dev_day }: AdoptionTables): TableDdl => devDayNamed(dev_day);

/** Where rebuilt days stand until they are swapped in; empty between rebuilds. */
export const devDayStageTable = ({ dev_day_stage }: AdoptionTables): TableDdl =>
  devDayNamed(dev_day_stage);
