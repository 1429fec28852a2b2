import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { ToolCohorts } from '#domain/adoption/cohort.js';
import type { DayWindow } from '#domain/adoption/period.js';
import type { EvidenceLabel } from '#domain/evidence.js';

/**
 * Counts of the developers of each tool and label, and of the part of them that activated in the
 * window. From the inside out: one row for each developer, however many products of the tool and
 * days there are; one for each account of each developer (0 for none), the first one flagged; one
 * for each account; one for each tool and label. The rest is what is not activated.
 */
export const tool_cohorts = `
SELECT
    toString(tool_id) AS tool,
    evidence,
    toUInt32(sum(firsts)) AS all_developers,
    toUInt32(sumIf(firsts, account != 0)) AS all_account_developers,
    toUInt32(countIf(account != 0)) AS all_accounts,
    toUInt32(maxIf(members, account != 0)) AS all_top,
    toUInt32(sum(active_firsts)) AS activated_developers,
    toUInt32(sumIf(active_firsts, account != 0)) AS activated_account_developers,
    toUInt32(countIf(account != 0 AND active_members > 0)) AS activated_accounts,
    toUInt32(maxIf(active_members, account != 0)) AS activated_top,
    toUInt32(countIf(account != 0 AND members > active_members)) AS rest_accounts,
    toUInt32(maxIf(members - active_members, account != 0)) AS rest_top
FROM
(
    SELECT
        tool_id,
        evidence,
        account,
        count() AS members,
        countIf(nth = 1) AS firsts,
        countIf(activated) AS active_members,
        countIf(activated AND nth = 1) AS active_firsts
    FROM
    (
        SELECT
            catalogue.tool_id AS tool_id,
            evidence,
            dev_key,
            max(family = 'activation') AS activated,
            groupUniqArrayIf(account_key, account_key != 0) AS known,
            if(empty(known), [toUInt64(0)], known) AS accounts
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
    ARRAY JOIN accounts AS account, arrayEnumerate(accounts) AS nth
    GROUP BY tool_id, evidence, account
)
GROUP BY tool_id, evidence`;

/** Days of the window for which the service holds events of any kind. */
export const covered_days = `
SELECT toUInt32(uniqExact(day)) AS days
FROM dev_day_v1
WHERE day >= {start:Date} AND day < {endExclusive:Date}`;

interface CohortRow {
  readonly tool: string;
  readonly evidence: EvidenceLabel;
  readonly all_developers: number;
  readonly all_account_developers: number;
  readonly all_accounts: number;
  readonly all_top: number;
  readonly activated_developers: number;
  readonly activated_account_developers: number;
  readonly activated_accounts: number;
  readonly activated_top: number;
  readonly rest_accounts: number;
  readonly rest_top: number;
}

/** Exact, secret counts for the publication policy; nothing else may read them. */
export class DevDayReader {
  constructor(private readonly clickhouse: Clickhouse) {}

  /** Cohorts of every tool that has events in the window, under one state of the catalogue. */
  async toolCohorts(window: DayWindow, fingerprint: string): Promise<ToolCohorts[]> {
    const rows = await this.clickhouse.rows<CohortRow>(tool_cohorts, { ...window, fingerprint });
    return rows.map(fromRow);
  }

  async coveredDays(window: DayWindow): Promise<number> {
    const [row] = await this.clickhouse.rows<{ days: number }>(covered_days, { ...window });
    return row?.days ?? 0;
  }
}

function fromRow(row: CohortRow): ToolCohorts {
  return {
    toolId: row.tool,
    label: row.evidence,
    all: {
      developers: row.all_developers,
      accountDevelopers: row.all_account_developers,
      accounts: row.all_accounts,
      topAccountDevelopers: row.all_top,
    },
    activated: {
      developers: row.activated_developers,
      accountDevelopers: row.activated_account_developers,
      accounts: row.activated_accounts,
      topAccountDevelopers: row.activated_top,
    },
    notActivated: {
      developers: row.all_developers - row.activated_developers,
      accountDevelopers: row.all_account_developers - row.activated_account_developers,
      accounts: row.rest_accounts,
      topAccountDevelopers: row.rest_top,
    },
  };
}
