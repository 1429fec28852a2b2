import type { CohortFacts } from '#domain/adoption/cohort-facts.js';
import type { EvidenceLabel } from '#domain/evidence.js';

/** One group of links and its exact counts. */
export interface LaneRow {
  readonly tool: string;
  readonly evidence: EvidenceLabel;
  readonly cell: number;
  readonly other: number;
  readonly lane: number;
  readonly developers: number;
  readonly account_developers: number;
  readonly accounts: number;
  readonly top: number;
  readonly second: number;
}

/**
 * Counts up to 32 groups of links at once. `source` is a query that gives each link a number whose
 * bits say in which of the groups it is; `cell` and `other` tell one set of 32 groups from another.
 *
 * Links are counted by account, which counts a developer of several links several times. What is
 * too much is taken off again in a second count, by developer, that only they take part in.
 */
export function laneFacts(source: string): string {
  return `
WITH
    links AS
    (${source.replaceAll('\n', '\n        ')}
    ),
    by_account AS
    (
        SELECT
            tool_id, evidence, cell, other, account_key,
            sumForEach(arrayMap(lane -> bitTest(lanes, lane), range(32))) AS members
        FROM links
        WHERE lanes != 0
        GROUP BY tool_id, evidence, cell, other, account_key
    ),
    by_developer AS
    (
        SELECT
            tool_id, evidence, cell, other, dev_key,
            sumForEach(arrayMap(lane -> bitTest(lanes, lane), range(32))) AS memberships,
            sumForEach(arrayMap(lane -> bitTest(lanes, lane) AND account_key != 0, range(32)))
                AS account_memberships
        FROM links
        WHERE lanes != 0 AND of_several
        GROUP BY tool_id, evidence, cell, other, dev_key
    ),
    counts AS
    (
        SELECT
            tool_id, evidence, cell, other, lane,
            toInt64(counted) AS developers,
            if(account_key = 0, 0, developers) AS account_developers,
            account_key != 0 AS is_account
        FROM by_account
        ARRAY JOIN members AS counted, range(32) AS lane
        WHERE counted > 0
        UNION ALL
        SELECT
            tool_id, evidence, cell, other, lane,
            1 - toInt64(counted), if(in_accounts = 0, 0, 1 - toInt64(in_accounts)), 0
        FROM by_developer
        ARRAY JOIN memberships AS counted, account_memberships AS in_accounts, range(32) AS lane
        WHERE counted > 1
    )
SELECT
    toString(tool_id) AS tool,
    evidence,
    cell,
    other,
    lane,
    toUInt32(sum(counts.developers)) AS developers,
    toUInt32(sum(counts.account_developers)) AS account_developers,
    toUInt32(countIf(is_account)) AS accounts,
    arrayResize(groupArraySortedIf(2)(-counts.account_developers, is_account), 2, 0) AS largest,
    toUInt32(-largest[1]) AS top,
    toUInt32(-largest[2]) AS second
FROM counts
GROUP BY tool_id, evidence, cell, other, lane`;
}

export function factsFrom(row: LaneRow): CohortFacts {
  return {
    developers: row.developers,
    accountDevelopers: row.account_developers,
    accounts: row.accounts,
    topAccountDevelopers: row.top,
    secondAccountDevelopers: row.second,
  };
}
