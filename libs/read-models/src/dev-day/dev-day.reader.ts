import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { DayWindow } from '#domain/adoption/period.js';
import type { EvidenceLabel } from '#domain/evidence.js';

/** Every developer of each tool and label in the window, once for each account (0 for none). */
export const tool_members = `
SELECT
    toString(tool_id) AS tool,
    evidence,
    toString(dev_key) AS developer,
    toString(account) AS account,
    activated,
    expanding
FROM
(
    SELECT
        catalogue.tool_id AS tool_id,
        evidence,
        dev_key,
        max(family = 'activation') AS activated,
        max(family = 'expansion') AS expanding,
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
ARRAY JOIN accounts AS account`;

/** Days of the window for which the service holds events of any kind. */
export const covered_days = `
SELECT toUInt32(uniqExact(day)) AS days
FROM dev_day_v1
WHERE day >= {start:Date} AND day < {endExclusive:Date}`;

/** A developer of a tool in one account. */
export interface ToolMember {
  readonly tool: string;
  readonly evidence: EvidenceLabel;
  readonly developer: string;
  /** `0` for none. */
  readonly account: string;
  readonly activated: 0 | 1;
  readonly expanding: 0 | 1;
}

/** Secret members of cohorts, for the publication policy; nothing else may read them. */
export class DevDayReader {
  constructor(private readonly clickhouse: Clickhouse) {}

  /** Members of every tool that has events in the window, under one state of the catalogue. */
  toolMembers(window: DayWindow, fingerprint: string): Promise<ToolMember[]> {
    return this.clickhouse.rows<ToolMember>(tool_members, { ...window, fingerprint });
  }

  async coveredDays(window: DayWindow): Promise<number> {
    const [row] = await this.clickhouse.rows<{ days: number }>(covered_days, { ...window });
    return row?.days ?? 0;
  }
}
