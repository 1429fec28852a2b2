import { rebuild_limits } from './rebuild-limits.js';

const in_days = `occurred_at >= toDateTime64({first:Date}, 3, 'UTC')
          AND occurred_at < toDateTime64({last:Date} + 1, 3, 'UTC')
          AND toDate(occurred_at) IN {days:Array(Date)}`;

/**
 * A number for everything that a row says of its event. Where it stands in the log is not of it,
 * nor how often it was delivered. A hash of NULL is NULL, so numbers that are not given are put
 * as one that no event can have.
 */
const event_hash = `sipHash64(
            event_id, organization_id, product_id, event_name, family, dev_key, account_key,
            evidence, campaign_id, campaign_source, occurred_at, received_at,
            ifNull(tokens_consumed, 18446744073709551615),
            ifNull(credit_cents, 18446744073709551615),
            ifNull(latency_ms, 18446744073709551615),
            ifNull(retry_count, 18446744073709551615),
            ifNull(error_count, 18446744073709551615))`;

/** A query on the live version (side 1) and the same on the one compared with it (side 2). */
const bothSides = (live: string): string => `${live}
        UNION ALL
        ${live
          .replace('1 AS side', '2 AS side')
          .replace('{usage_events:Identifier}', '{other_usage_events:Identifier}')}`;

/** Days of which either version has events, oldest first, but those about to expire. */
export const compared_days = `
SELECT toString(day) AS day, toUInt64(sum(live_rows)) AS events
FROM
(
    SELECT toDate(occurred_at) AS day, toUInt64(count()) AS live_rows
    FROM {usage_events:Identifier} FINAL
    WHERE toDate(occurred_at) >= {oldest:Date}
    GROUP BY day
    UNION ALL
    SELECT DISTINCT toDate(occurred_at), toUInt64(0)
    FROM {other_usage_events:Identifier}
    WHERE toDate(occurred_at) >= {oldest:Date}
)
GROUP BY day
ORDER BY day
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** Of some days, those on which events differ in number or content, product by product. */
export const differing_event_days = `
SELECT DISTINCT toString(day) AS day
FROM
(
    SELECT day, product_id, countIf(side = 1) AS live, countIf(side = 2) AS other,
        groupBitXor(hash) AS difference
    FROM
    (
        ${bothSides(`SELECT 1 AS side, toDate(occurred_at) AS day, product_id,
            ${event_hash} AS hash
        FROM {usage_events:Identifier} FINAL
        WHERE ${in_days}`)}
    )
    GROUP BY day, product_id
    HAVING live != other OR difference != 0
)
ORDER BY day
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/**
 * The events of days that only one version has, or that they do not agree on. Of two copies the
 * one further on in the log is right. It is pending when the group of the version that lacks it
 * has not got there; `live_next` and `other_next` say how far the groups were, by partition.
 */
export const differing_events = `
SELECT
    toUInt64(countIf(is_pending)) AS pending,
    toUInt64(countIf(NOT is_pending)) AS differences,
    arraySort(groupArrayIf(${rebuild_limits.keys_max})(
        [toString(day), toString(product), kind, toString(event_id)], NOT is_pending)) AS keys
FROM
(
    SELECT
        event_id,
        any(day) AS day,
        any(product_id) AS product,
        countIf(side = 1) AS live,
        countIf(side = 2) AS other,
        maxIf(log_offset, side = 1) AS live_offset,
        maxIf(log_offset, side = 2) AS other_offset,
        maxIf(log_partition, side = 1) AS live_partition,
        maxIf(log_partition, side = 2) AS other_partition,
        multiIf(other = 0, 'missing', live = 0, 'unexpected', 'changed') AS kind,
        multiIf(
            live > 0 AND (other = 0 OR live_offset > other_offset),
                live_offset >= {other_next:Array(UInt64)}[live_partition + 1],
            other > 0 AND (live = 0 OR other_offset > live_offset),
                other_offset >= {live_next:Array(UInt64)}[other_partition + 1],
            0) AS is_pending
    FROM
    (
        ${bothSides(`SELECT 1 AS side, event_id, toDate(occurred_at) AS day, product_id,
            log_partition, log_offset,
            ${event_hash} AS hash
        FROM {usage_events:Identifier} FINAL
        WHERE ${in_days}`)}
    )
    GROUP BY event_id
    HAVING live != other OR groupBitXor(hash) != 0
)
SETTINGS do_not_merge_across_partitions_select_final = 1`;

/** Of some days, those with events that not both groups have finished. */
export const days_in_motion = `
SELECT DISTINCT toString(day) AS day
FROM
(
    ${bothSides(`SELECT toDate(occurred_at) AS day
        FROM {usage_events:Identifier}
        WHERE ${in_days}
          AND log_offset >= {settled_next:Array(UInt64)}[log_partition + 1]`)}
)`;

/** Of some days, the products whose derived rows differ. No developer is named. */
export const differing_dev_days = `
SELECT
    toString(day) AS day,
    toString(product_id) AS product,
    toUInt64(countIf(side = 1)) AS live,
    toUInt64(countIf(side = 2)) AS other
FROM
(
    SELECT 1 AS side, *
    FROM {dev_day:Identifier}
    WHERE day IN {days:Array(Date)}
    UNION ALL
    SELECT 2 AS side, *
    FROM {other_dev_day:Identifier}
    WHERE day IN {days:Array(Date)}
)
GROUP BY day, product_id
HAVING live != other OR groupBitXor(sipHash64(
    day, product_id, family, account_key, dev_key, evidence, events, first_at, last_at)) != 0
ORDER BY day, product_id`;
