import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { CohortCounts, ToolCohorts } from '#domain/adoption/cohort.js';
import type { DayWindow } from '#domain/adoption/period.js';
import type { EvidenceLabel } from '#domain/evidence.js';

/**
 * Counts of three parts of each tool and label: all developers, those who activated in the window,
 * and the rest. A developer is one however many products of the tool, accounts and days there are;
 * `sizes` maps each account of a part to its developers.
 */
export const tool_cohorts = `
SELECT
    tool,
    evidence,
    part,
    toUInt32(developers) AS developers,
    toUInt32(account_developers) AS account_developers,
    toUInt32(length(sizes.1)) AS accounts,
    toUInt32(if(empty(sizes.2), 0, arrayMax(sizes.2))) AS top_account_developers
FROM
(
    SELECT
        toString(tool_id) AS tool,
        evidence,
        part,
        count() AS developers,
        countIf(notEmpty(accounts)) AS account_developers,
        sumMap(accounts, arrayWithConstant(length(accounts), toUInt64(1))) AS sizes
    FROM
    (
        SELECT
            catalogue.tool_id AS tool_id,
            evidence,
            dev_key,
            max(family = 'activation') AS activated,
            arrayFilter(account -> account != 0, groupUniqArray(account_key)) AS accounts
        FROM dev_day_v1
        INNER JOIN
        (
            SELECT DISTINCT product_id, tool_id
            FROM catalogue_product_v1
            WHERE fingerprint = {fingerprint:String}
        ) AS catalogue USING (product_id)
        WHERE day >= {start:Date} AND day < {endExclusive:Date}
        GROUP BY tool_id, evidence, dev_key
    )
    ARRAY JOIN ['all', if(activated, 'activated', 'rest')] AS part
    GROUP BY tool_id, evidence, part
)`;

/** Days of the window for which the service holds events of any kind. */
export const covered_days = `
SELECT toUInt32(uniqExact(day)) AS days
FROM dev_day_v1
WHERE day >= {start:Date} AND day < {endExclusive:Date}`;

interface PartRow {
  readonly tool: string;
  readonly evidence: EvidenceLabel;
  readonly part: 'all' | 'activated' | 'rest';
  readonly developers: number;
  readonly account_developers: number;
  readonly accounts: number;
  readonly top_account_developers: number;
}

const nobody: CohortCounts = {
  developers: 0,
  accountDevelopers: 0,
  accounts: 0,
  topAccountDevelopers: 0,
};

/** Exact, secret counts for the publication policy; nothing else may read them. */
export class DevDayReader {
  constructor(private readonly clickhouse: Clickhouse) {}

  /** Cohorts of every tool that has events in the window, under one state of the catalogue. */
  async toolCohorts(window: DayWindow, fingerprint: string): Promise<ToolCohorts[]> {
    const rows = await this.clickhouse.rows<PartRow>(tool_cohorts, { ...window, fingerprint });
    const parts = new Map(rows.map((row) => [keyOf(row, row.part), countsOf(row)]));
    return rows
      .filter(({ part }) => part === 'all')
      .map((row) => ({
        toolId: row.tool,
        label: row.evidence,
        all: countsOf(row),
        activated: parts.get(keyOf(row, 'activated')) ?? nobody,
        notActivated: parts.get(keyOf(row, 'rest')) ?? nobody,
      }));
  }

  async coveredDays(window: DayWindow): Promise<number> {
    const [row] = await this.clickhouse.rows<{ days: number }>(covered_days, { ...window });
    return row?.days ?? 0;
  }
}

function keyOf({ tool, evidence }: PartRow, part: PartRow['part']): string {
  return `${tool} ${evidence} ${part}`;
}

function countsOf(row: PartRow): CohortCounts {
  return {
    developers: row.developers,
    accountDevelopers: row.account_developers,
    accounts: row.accounts,
    topAccountDevelopers: row.top_account_developers,
  };
}
