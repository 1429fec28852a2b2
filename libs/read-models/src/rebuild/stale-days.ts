import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '#postgres/database.js';
import { clearDirtyDays, readDirtyDays } from '#postgres/publication/dirty-days.js';
import { inPublicationTurn } from '#postgres/publication/publication-lock.js';
import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { AdoptionVersion } from '../adoption-version/adoption-version.js';
import { rebuildDays } from '../dev-day/dev-day.rebuild.js';
import { addLifecycleDays } from '../lifecycle/lifecycle.writer.js';
import { rebuild_limits } from './rebuild-limits.js';

/** An epoch or an erasure was under way for longer than anybody waits. */
export class PublicationBusyError extends Error {
  constructor() {
    super('An epoch is being published, or an erasure runs. Try again later.');
    this.name = 'PublicationBusyError';
  }
}

/** Runs `work` while no epoch is published and nobody is erased. */
export async function inTurn<Result>(
  database: Database,
  work: Parameters<typeof inPublicationTurn<Result>>[2],
): Promise<Result> {
  const turn = await inPublicationTurn(database, rebuild_limits.turn_wait_ms_max, work);
  if (turn.kind === 'busy') throw new PublicationBusyError();
  return turn.result;
}

/**
 * Computes the stale days of a version that is not live, some days at a time, until none is left;
 * yields how many days each turn took. A day is cleared after it was computed: whoever is killed
 * between the two computes it again.
 */
export async function* computeStaleDays(
  { database, clickhouse }: { readonly database: Database; readonly clickhouse: Clickhouse },
  { tables, daysModel }: AdoptionVersion,
): AsyncGenerator<number, void, void> {
  for (;;) {
    const days = await inTurn(database, async (manager) => {
      const stale = (await readDirtyDays(manager, daysModel)).slice(
        0,
        rebuild_limits.turn_days_max,
      );
      const names = stale.map(({ day }) => day);
      if (names.length === 0) return 0;
      await rebuildDays(clickhouse, tables, names);
      await addLifecycleDays(clickhouse, tables, names);
      await clearDirtyDays(manager, daysModel, stale);
      return names.length;
    });
    if (days === 0) return;
    yield days;
    if (days < rebuild_limits.turn_days_max) return;
    await pause(rebuild_limits.turn_pause_ms);
  }
}
