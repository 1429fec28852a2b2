import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { PublicationDesk } from '#postgres/publication/publication-store.js';
import { storedAdoptionVersions } from '#read-models/adoption-version/stored-versions.js';
import { DeveloperAliasWriter } from '#read-models/developer-alias/developer-alias.writer.js';

const links_per_turn_max = 500;

/**
 * Copies the links between developers that are new since the last time, and marks every day on
 * which one of them has rows, in each version that has some, so that its recomputation counts one
 * developer where there were two. The days first: the copy itself says how far it is, and what it
 * lacks is done again.
 */
export async function applyLinks(desk: PublicationDesk, clickhouse: Clickhouse): Promise<void> {
  const writer = new DeveloperAliasWriter(clickhouse);
  const versions = await storedAdoptionVersions(clickhouse);
  for (;;) {
    const aliases = await desk.aliasesAfter(await writer.version(), links_per_turn_max);
    if (aliases.length === 0) return;
    const keys = aliases.map(({ devKey }) => devKey);
    for (const { tables, daysModel } of versions) {
      await desk.markDirtyDays(daysModel, await writer.daysOf(tables, keys));
    }
    await writer.write(aliases);
  }
}
