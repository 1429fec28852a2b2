import type { Clickhouse } from '#clickhouse/clickhouse.js';

/** Events of one insert: what the engine holds in memory meanwhile. */
const events_per_insert = 1_000_000;

export interface UsageWorld {
  readonly events: number;
  /** Distinct developers; most use up to three products. */
  readonly developers: number;
  readonly products: number;
  /** The last day that has events, `YYYY-MM-DD`. */
  readonly lastDay: string;
  readonly days: number;
  /** Another seed makes another world of the same shape. */
  readonly seed: number;
}

/**
 * Raw events made by the column store itself: everything of an event is a hash of its number and
 * the seed, so a world can be made again, in parts, and in any order. Few products and accounts
 * have most of the developers, three in ten developers have no account, and one product in twenty
 * has sample events only.
 */
const generate_usage = `
INSERT INTO usage_events_v1
    (event_id, organization_id, product_id, event_name, family, dev_key, account_key, evidence,
     occurred_at, received_at, log_partition, log_offset, row_version)
WITH
    {seed:UInt64} AS seed,
    cityHash64(seed, number, 'who') % {developers:UInt64} AS developer,
    cityHash64(seed, developer, cityHash64(seed, number, 'which') % 3) / pow(2, 64) AS taste,
    toUInt32({products:UInt32} * taste * taste) AS product,
    cityHash64(seed, developer, 'account') / pow(2, 64) AS employer,
    cityHash64(seed, number, 'what') % 100 AS deed
SELECT
    reinterpretAsUUID(sipHash128(seed, number)),
    toUUID('0190b6f4-0000-7000-8000-000000000001'),
    {productIds:Array(UUID)}[product + 1],
    'API_CALL',
    multiIf(deed < 15, 'evaluation', deed < 40, 'activation', deed < 95, 'retention', 'expansion'),
    cityHash64(seed, developer, 'key'),
    if(cityHash64(seed, developer, 'known') % 10 < 3, 0,
        1 + toUInt64({accounts:UInt64} * employer * employer)),
    if(product % 20 = 19, 'sample', 'first_party'),
    toDateTime64({lastDay:Date}, 3, 'UTC') + INTERVAL 1 DAY
        - toIntervalMillisecond(1 + cityHash64(seed, number, 'when') % ({days:UInt32} * 86400000)),
    now64(3),
    0,
    number,
    number
FROM numbers({first:UInt64}, {count:UInt64})`;

/** Developers of an account on average, of those who have one. */
const developers_per_account = 14;

/** Fills the raw table; `productIds` are as many as the world has products. */
export async function generateUsage(
  clickhouse: Clickhouse,
  world: UsageWorld,
  productIds: readonly string[],
): Promise<void> {
  const { events, ...shape } = world;
  for (let first = 0; first < events; first += events_per_insert) {
    await clickhouse.run(generate_usage, {
      ...shape,
      productIds,
      accounts: Math.ceil(world.developers / developers_per_account),
      first,
      count: Math.min(events_per_insert, events - first),
    });
  }
}
