import { alias_join, canonical_developer } from '../developer-alias/canonical-developer.js';

const own_events = `FROM {usage_events:Identifier} AS usage FINAL
${alias_join}
WHERE organization_id = {organization:UUID}`;

const in_window = `occurred_at >= toDateTime64({start:Date}, 3, 'UTC')
  AND occurred_at < toDateTime64({endExclusive:Date}, 3, 'UTC')`;

const settings = 'SETTINGS do_not_merge_across_partitions_select_final = 1';

const counts = `toUInt32(uniqExact(${canonical_developer})) AS developers,
    toUInt32(uniqExactIf(account_key, account_key != 0)) AS accounts,
    toUInt64(count()) AS events`;

/** Who got how far: each family with the developers and accounts that have events of it. */
export const organization_funnel = `
SELECT
    toString(family) AS family,
    ${counts}
${own_events}
  AND ${in_window}
  AND family != 'unassigned'
GROUP BY family
${settings}`;

/** The customers, those with the most developers first. */
export const organization_accounts = `
SELECT
    toString(account_key) AS account,
    toUInt32(uniqExact(${canonical_developer})) AS developers,
    toUInt32(uniqExactIf(${canonical_developer}, family = 'activation')) AS activated,
    toUInt64(count()) AS events,
    toString(toDate(min(occurred_at))) AS first_day,
    toString(toDate(max(occurred_at))) AS last_day
${own_events}
  AND ${in_window}
  AND account_key != 0
GROUP BY account_key
ORDER BY developers DESC, account_key
LIMIT {limit:UInt32}
${settings}`;

/** What each campaign brought, by the source that is named with it. */
export const organization_campaigns = `
SELECT
    toString(campaign_id) AS campaign,
    toString(campaign_source) AS source,
    ${counts},
    toUInt32(uniqExactIf(${canonical_developer}, family = 'activation')) AS activated
${own_events}
  AND ${in_window}
  AND campaign_id != ''
GROUP BY campaign_id, campaign_source
ORDER BY developers DESC, campaign, source
LIMIT {limit:UInt32}
${settings}`;

/**
 * Developers who activated for the first time in the window moved seven days into the past, and
 * those of them who used the product again at least seven days after that.
 */
export const organization_retention = `
SELECT
    toUInt32(count()) AS cohort,
    toUInt32(countIf(last_use >= activation + INTERVAL 7 DAY)) AS retained
FROM
(
    SELECT
        ${canonical_developer} AS developer,
        minIf(occurred_at, family = 'activation') AS activation,
        max(occurred_at) AS last_use
    ${own_events}
      AND family IN ('activation', 'retention')
      AND occurred_at < toDateTime64({endExclusive:Date}, 3, 'UTC')
    GROUP BY developer
    HAVING countIf(family = 'activation') > 0
)
WHERE activation >= toDateTime64({start:Date} - 7, 3, 'UTC')
  AND activation < toDateTime64({endExclusive:Date} - 7, 3, 'UTC')
${settings}`;
