import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { PublicationDesk } from '#postgres/publication/publication-store.js';
import { dev_day_model } from '#read-models/dev-day/dev-day.table.js';
import { DeveloperAliasWriter } from '#read-models/developer-alias/developer-alias.writer.js';

const links_per_turn_max = 500;

/**
 * Copies the links between developers that are new since the last time, and marks every day on
 * which one of them has rows, so that its recomputation counts one developer where there were two.
 * The days first: the copy itself says how far it is, and what it lacks is done again.
 */
export async function applyLinks(desk: PublicationDesk, clickhouse: Clickhouse): Promise<void> {
  const writer = new DeveloperAliasWriter(clickhouse);
  for (;;) {
    const aliases = await desk.aliasesAfter(await writer.version(), links_per_turn_max);
    if (aliases.length === 0) return;
    const days = await writer.daysOf(aliases.map(({ devKey }) => devKey));
    await desk.markDirtyDays(dev_day_model, days);
    await writer.write(aliases);
  }
}
