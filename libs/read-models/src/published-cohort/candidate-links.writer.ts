import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { windowOf } from '#domain/adoption/period.js';
import type { AdoptionTables } from '../adoption-version/adoption-version.js';
import { alias_join, canonical_developer } from '../developer-alias/canonical-developer.js';
import { packed } from './packed.js';

/**
 * The links of an epoch, step by step:
 *
 * 1. `sightings`: what is known of links, from the days of the widest window, the lifecycle, and
 *    the cohorts of the attempt before. `seen` has a bit for each window and one for the lifecycle,
 *    `deeds` the cells that activation and expansion events open. A key that is an alias by now
 *    counts as the developer to whom it belongs, in published cohorts as well: so linking two keys
 *    makes no difference between cohorts.
 * 2. `links`: one row a link.
 * 3. `developers`: one row a developer. What they did counts in all of their accounts, and in the
 *    link without an account only where none of their accounts is known. Who was first seen to
 *    activate long enough ago is awaited, in the windows that end seven days earlier.
 * 4. One row a link again, with its cells: those of the windows in which it was seen (73 repeats
 *    their three bits for three groups), and the six of retention (32256).
 */
export const insert_candidate_links = `
INSERT INTO published_cohort
    (attempt, tool_id, evidence, account_key, dev_key, of_several, candidate, published)
WITH
    toDateTime64({endExclusive:Date}, 3, 'UTC') - INTERVAL 7 DAY AS awaited_before,
    catalogue AS
    (
        SELECT DISTINCT product_id, tool_id
        FROM catalogue_product_v1
        WHERE fingerprint = {fingerprint:String} AND tool_id IN {tools:Array(UUID)}
    ),
    sightings AS
    (
        SELECT
            tool_id, evidence, dev_key, account_key,
            toUInt8(4 + 2 * (day >= {start30d:Date}) + (day >= {start7d:Date})) AS seen,
            toUInt16(multiIf(family = 'activation', seen * 8, family = 'expansion', seen * 64, 0))
                AS deeds,
            CAST(NULL AS Nullable(DateTime64(3, 'UTC'))) AS first_activation,
            toDateTime64(0, 3, 'UTC') AS last_retained,
            emptyArrayUInt32() AS published
        FROM {dev_day:Identifier}
        INNER JOIN catalogue USING (product_id)
        WHERE product_id IN (SELECT product_id FROM catalogue)
          AND day >= {start90d:Date} AND day < {endExclusive:Date}
        UNION ALL
        SELECT
            tool_id, evidence, ${canonical_developer} AS developer, account_key,
            8, 0, first_activation, last_retained, emptyArrayUInt32()
        FROM {lifecycle:Identifier} AS usage
        INNER JOIN catalogue USING (product_id)
        ${alias_join.replaceAll('\n', '\n        ')}
        WHERE product_id IN (SELECT product_id FROM catalogue)
        UNION ALL
        SELECT
            tool_id, evidence, ${canonical_developer} AS developer, account_key,
            0, 0, NULL, toDateTime64(0, 3, 'UTC'),
            arrayMap(
                (slots, keep, add, cell) ->
                    toUInt32(bitOr(bitAnd(slots, keep), if(bitTest(candidate, cell), add, 0))),
                arrayResize(published, length(kept), 0), kept, added, range(length(kept)))
        FROM published_cohort AS usage
        INNER JOIN
        (
            SELECT tool_id, evidence, kept, added
            FROM published_series
            WHERE attempt = {previous:UUID}
        ) AS series USING (tool_id, evidence)
        ${alias_join.replaceAll('\n', '\n        ')}
        WHERE attempt = {previous:UUID} AND tool_id IN {tools:Array(UUID)}
    ),
    links AS
    (
        SELECT
            tool_id, evidence, dev_key, account_key,
            groupBitOr(seen) AS link_seen,
            groupBitOr(deeds) AS link_deeds,
            min(first_activation) AS activated_at,
            max(last_retained) AS retained_at,
            groupBitOrForEach(published) AS slots
        FROM sightings
        GROUP BY tool_id, evidence, dev_key, account_key
    ),
    developers AS
    (
        SELECT
            tool_id, evidence, dev_key,
            groupArray((account_key, link_seen, slots)) AS dev_links,
            groupBitOr(link_seen) AS dev_seen,
            groupBitOrIf(link_seen, account_key != 0) AS seen_in_accounts,
            groupBitOrForEach(if(account_key = 0, emptyArrayUInt32(), slots)) AS slots_in_accounts,
            groupBitOr(link_deeds) AS deeds,
            ifNull(min(activated_at), toDateTime64(0, 3, 'UTC')) AS first_activation,
            max(retained_at) AS last_retained,
            (first_activation < awaited_before) * toUInt16(
                4 * (first_activation >= awaited_before - INTERVAL 90 DAY) +
                2 * (first_activation >= awaited_before - INTERVAL 30 DAY) +
                (first_activation >= awaited_before - INTERVAL 7 DAY)) AS awaited,
            awaited * (last_retained >= first_activation + INTERVAL 7 DAY) AS returned,
            bitAnd(dev_seen, 7) + deeds + awaited * 512 + returned * 4096 AS cells
        FROM links
        GROUP BY tool_id, evidence, dev_key
    )
SELECT
    {attempt:UUID},
    tool_id,
    evidence,
    link.1 AS account_key,
    dev_key,
    length(dev_links) > 1 AS of_several,
    bitAnd(
        cells,
        bitAnd(bitAnd(link.2, if(link.1 = 0, bitNot(seen_in_accounts), 255)) AS counted, 7) * 73 +
            bitTest(counted, 3) * 32256) AS candidate,
    if(link.1 = 0 AND of_several,
        arrayMap((slot, known) -> toUInt32(bitAnd(slot, bitNot(known))),
            link.3, arrayResize(slots_in_accounts, length(link.3), 0)),
        link.3) AS published
FROM developers
ARRAY JOIN dev_links AS link
WHERE candidate != 0 OR arrayExists(slots -> slots != 0, published)`;

/** Rows of the widest window by tool: what the links of a tool are computed from. */
export const tool_rows = `
SELECT toString(tool_id) AS tool, toUInt32(count()) AS rows
FROM {dev_day:Identifier}
INNER JOIN
(
    SELECT DISTINCT product_id, tool_id
    FROM catalogue_product_v1
    WHERE fingerprint = {fingerprint:String}
) AS catalogue USING (product_id)
WHERE day >= {start90d:Date} AND day < {endExclusive:Date}
GROUP BY tool_id`;

/** Rows that the links of one statement are computed from: its memory grows with them. */
const rows_per_statement_max = 2_000_000;

/** Tools of one statement: they are sent as one parameter. */
const tools_per_statement_max = 500;

const no_attempt = '00000000-0000-0000-0000-000000000000';

/** Whose links are computed, and where from. */
export interface CandidateLinks {
  /** Of the version that the epoch is computed from. */
  readonly tables: AdoptionTables;
  readonly attempt: string;
  /** The attempt whose published cohorts live on; null for none. */
  readonly previous: string | null;
  readonly asOf: Date;
  /** Names the state of the catalogue. */
  readonly fingerprint: string;
  /** Tools with events or with published cohorts. */
  readonly tools: readonly string[];
}

/** Stores the links of an attempt, once; answers with packs of tools that are read as well. */
export async function writeCandidateLinks(
  clickhouse: Clickhouse,
  { tables, attempt, previous, asOf, fingerprint, tools }: CandidateLinks,
): Promise<readonly (readonly string[])[]> {
  const { start: start90d, endExclusive } = windowOf('90d', asOf);
  const window = { ...tables, start90d, endExclusive, fingerprint };
  const counted = await clickhouse.rows<{ tool: string; rows: number }>(tool_rows, window);
  const rows = new Map(counted.map((row) => [row.tool, row.rows]));
  const packs = packed(tools.toSorted(), {
    weightOf: (tool) => rows.get(tool) ?? 0,
    weightMax: rows_per_statement_max,
    countMax: tools_per_statement_max,
  });
  for (const pack of packs) {
    await clickhouse.run(insert_candidate_links, {
      ...window,
      attempt,
      previous: previous ?? no_attempt,
      tools: pack,
      start7d: windowOf('7d', asOf).start,
      start30d: windowOf('30d', asOf).start,
    });
  }
  return packs;
}
