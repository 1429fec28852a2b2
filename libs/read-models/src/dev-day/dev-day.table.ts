import { engine, onCluster, type TableDdl } from '#clickhouse/tables.js';
import { evidence_type, family_type, kept_days } from '../column-types.js';
import type { PersonalTable } from '../personal/personal-table.js';

/** Name under which its days are marked as stale. */
export const dev_day_model = 'dev_day_v1';

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
export const devDayTable = devDayNamed('dev_day_v1');

/** Where rebuilt days stand until they are swapped in; empty between rebuilds. */
export const devDayStageTable = devDayNamed('dev_day_v1_stage');

export const devDayPersonal: PersonalTable = { table: 'dev_day_v1', devKeyColumn: 'dev_key' };

/** A rebuild that was killed leaves rows here. */
export const devDayStagePersonal: PersonalTable = {
  table: 'dev_day_v1_stage',
  devKeyColumn: 'dev_key',
};
