import { setTimeout as pause } from 'node:timers/promises';
import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { Database } from '#postgres/database.js';
import {
  ErasureDesk,
  type ErasureRecord,
  type OpenErasure,
} from '#postgres/erasures/erasure-desk.js';
import { markDirtyDays } from '#postgres/publication/dirty-days.js';
import { asOnlyPublisher } from '#postgres/publication/publication-lock.js';
import { storedAdoptionVersions } from '#read-models/adoption-version/stored-versions.js';
import { PersonalRows } from '#read-models/personal/personal-rows.js';
import { reachFaultPoint } from '#runtime/fault-points.js';

const turn_wait_ms_max = 600_000;
const turn_poll_ms = 500;

/** What is known of a developer, and how much would be deleted. */
export interface ErasurePlan {
  readonly identities: number;
  readonly keys: number;
  /** By table. */
  readonly rows: Readonly<Record<string, number>>;
}

/**
 * `unknown`: the registry knows nobody of this hash; `erasedAt` tells when it did last.
 * `finished`: only what earlier runs had begun was left to do.
 * `busy`: an epoch was being published, or another erasure ran, for as long as anybody waits.
 */
export type ErasureOutcome =
  | { readonly kind: 'planned'; readonly plan: ErasurePlan; readonly unfinished: number }
  | { readonly kind: 'erased' | 'finished'; readonly records: readonly ErasureRecord[] }
  | { readonly kind: 'unknown'; readonly erasedAt: Date | null }
  | { readonly kind: 'busy' };

export interface ErasureStores {
  readonly database: Database;
  readonly clickhouse: Clickhouse;
}

/** What an erasure would delete; changes nothing. */
export async function planErasure(
  { database, clickhouse }: ErasureStores,
  hash: string,
): Promise<ErasureOutcome> {
  const desk = new ErasureDesk(database.manager);
  const unfinished = (await desk.open()).length;
  const known = await desk.find(hash);
  if (known !== null) {
    const rows = await new PersonalRows(clickhouse).count(known.devKeys);
    const plan = { identities: known.identities, keys: known.devKeys.length, rows };
    return { kind: 'planned', plan, unfinished };
  }
  if (unfinished === 0) return { kind: 'unknown', erasedAt: await desk.erasedAt(hash) };
  return { kind: 'planned', plan: { identities: 0, keys: 0, rows: {} }, unfinished };
}

/**
 * Erases the developer of a hash. Holds the publication lock all the while, so no day is computed
 * from rows that are about to go. The order of effects, and what survives a crash after each:
 *
 * 1. Whatever an earlier run left unfinished is finished, by the steps below.
 * 2. In one transaction the ledger is written and the registry forgets the developer. From here on
 *    clerk and projector drop what belongs to the erased keys and hashes; rows that were stored
 *    are still there, and the next run finds them by the ledger.
 * 3. The audit record gets the counts, once; the days of the rows are marked dirty, in every
 *    version of the projection that has them.
 * 4. Rows go, table by table, the raw events last: until then they say which days to mark.
 * 5. The erasure is completed: what is received later belongs to a new developer.
 */
export async function eraseDeveloper(
  { database, clickhouse }: ErasureStores,
  hash: string,
  requestedBy: string,
): Promise<ErasureOutcome> {
  const deadline = Date.now() + turn_wait_ms_max;
  for (;;) {
    const turn = await asOnlyPublisher(database, async (manager): Promise<ErasureOutcome> => {
      const desk = new ErasureDesk(manager);
      const finish = async (erasure: OpenErasure): Promise<ErasureRecord> => {
        const rows = new PersonalRows(clickhouse);
        if (!erasure.counted) await desk.count(erasure.id, await rows.count(erasure.devKeys));
        for (const { tables, daysModel } of await storedAdoptionVersions(clickhouse)) {
          await markDirtyDays(manager, daysModel, await rows.days(tables, erasure.devKeys));
        }
        await rows.erase(erasure.devKeys);
        await reachFaultPoint('erasure_after_rows');
        return desk.complete(erasure.id);
      };
      const records: ErasureRecord[] = [];
      for (const erasure of await desk.open()) records.push(await finish(erasure));
      if ((await desk.find(hash)) === null) {
        if (records.length > 0) return { kind: 'finished', records };
        return { kind: 'unknown', erasedAt: await desk.erasedAt(hash) };
      }
      await desk.begin(hash, requestedBy);
      await reachFaultPoint('erasure_after_ledger');
      for (const erasure of await desk.open()) records.push(await finish(erasure));
      return { kind: 'erased', records };
    });
    if (turn.kind === 'done') return turn.result;
    if (Date.now() >= deadline) return { kind: 'busy' };
    await pause(turn_poll_ms);
  }
}
