import { setTimeout as pause } from 'node:timers/promises';
import { usageAcceptedTopic, usageReceivedTopic } from '#contracts/topics.js';
import type { EventLog } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import { openDatabase } from '#postgres/database.js';
import { PublicationStore } from '#postgres/publication/publication-store.js';
import type { Logger } from '#runtime/logger.js';
import type { Installation } from '../installation.js';
import { limits } from '../limits.js';

/**
 * Runs `load` while nobody publishes, and until its events are projected: what an epoch shows is
 * what the next ones are compared with, so the first one should not see half a demo. Gives up the
 * waiting, not the load, when time is up or `stopping` says so.
 */
export async function asOneEpoch(
  { config, databaseUrl }: Pick<Installation, 'config' | 'databaseUrl'>,
  logger: Logger,
  stopping: AbortSignal,
  load: () => Promise<boolean>,
): Promise<boolean> {
  const database = await openDatabase({ url: databaseUrl, app: 'standalone' });
  const log = await openEventLog({ ...config, databaseUrl }, logger);
  try {
    const publications = new PublicationStore(database);
    const deadline = Date.now() + limits.ranking_wait_ms;
    for (;;) {
      const locked = await publications.asOnlyPublisher(async () => {
        const complete = await load();
        while (complete && !stopping.aborted && Date.now() < deadline) {
          if (await isProjected(log)) break;
          await pause(limits.ranking_poll_ms);
        }
        return complete;
      });
      if (locked.kind === 'done') return locked.result;
      if (stopping.aborted || Date.now() >= deadline) return await load();
      await pause(limits.ranking_poll_ms);
    }
  } finally {
    await log.close();
    await database.destroy();
  }
}

/** Whether every topic was read to its end by who reads it; the earlier one is looked at first. */
async function isProjected(log: EventLog): Promise<boolean> {
  const groups = await log.groups();
  for (const topic of [usageReceivedTopic.name, usageAcceptedTopic.name]) {
    const readers = groups.filter(({ topics }) => topics.includes(topic));
    if (readers.length === 0) return false;
    for (const { group } of readers) {
      const lags = await log.lag(group, topic);
      if (lags.some(({ lag }) => lag > 0n)) return false;
    }
  }
  return true;
}
