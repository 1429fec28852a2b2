import { engine, onCluster, type TableDdl } from '#clickhouse/tables.js';
import { evidence_type } from '../column-types.js';

/**
 * Private: who is behind an epoch. A row is a link of a series (a tool's events of one label): a
 * developer in an account, or in account 0 when none is known. Bit n of `candidate` says that the
 * link is in cell n of this epoch, `published[n + 1]` in which published cohorts of that cell it
 * is, a bit for each slot. So a link takes one row, however many cohorts it is in.
 *
 * Rows belong to an attempt to publish; those of one that failed are never read. The attempt of
 * the newest epoch is all that is kept, and a link that is in no cohort any more is left out, so
 * nothing here outlives the cohorts that the policy still compares with.
 */
export const publishedCohortTable: TableDdl = (topology) => `
CREATE TABLE IF NOT EXISTS published_cohort${onCluster(topology)}
(
    attempt UUID,
    tool_id UUID,
    evidence ${evidence_type},
    account_key UInt64,
    dev_key UInt64,
    of_several Bool,
    candidate UInt16,
    published Array(UInt32) CODEC(ZSTD(1))
)
ENGINE = ${engine('MergeTree', [], topology)}
PARTITION BY attempt
ORDER BY (tool_id, evidence, account_key, dev_key)`;

/**
 * Private: what an attempt hands to the next one about each series. `state` is the policy's, as
 * JSON. `slots` (cohort id → slot, as JSON) says which bit of the links means which cohort. `kept`
 * and `added` turn the links of this attempt into those of the next: bits that stay, and the bit
 * that a link of the candidate gets, cell by cell.
 */
export const publishedSeriesTable: TableDdl = (topology) => `
CREATE TABLE IF NOT EXISTS published_series${onCluster(topology)}
(
    attempt UUID,
    tool_id UUID,
    evidence ${evidence_type},
    state String CODEC(ZSTD(1)),
    slots String CODEC(ZSTD(1)),
    kept Array(UInt32),
    added Array(UInt32)
)
ENGINE = ${engine('MergeTree', [], topology)}
PARTITION BY attempt
ORDER BY (tool_id, evidence)`;
