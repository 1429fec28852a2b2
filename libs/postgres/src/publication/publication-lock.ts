import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';

/** Advisory lock of the one publisher over all projector processes. */
const publication_lock = 7_305_002;
const turn_poll_ms = 100;

export type Locked<Result> =
  { readonly kind: 'done'; readonly result: Result } | { readonly kind: 'busy' };

/**
 * Runs `work` as the only publisher, on the connection that holds the lock: when that connection
 * is lost, so is the lock, and what `work` still writes through it fails. `busy` when another
 * process publishes.
 */
export async function asOnlyPublisher<Result>(
  database: DataSource,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Locked<Result>> {
  const runner = database.createQueryRunner();
  try {
    const [row] = (await runner.query('select pg_try_advisory_lock($1) as held', [
      publication_lock,
    ])) as { held: boolean }[];
    if (row?.held !== true) return { kind: 'busy' };
    try {
      return { kind: 'done', result: await work(runner.manager) };
    } finally {
      await runner.query('select pg_advisory_unlock($1)', [publication_lock]);
    }
  } finally {
    await runner.release();
  }
}

/** Like `asOnlyPublisher`, but waits; `busy` when the lock was not to be had for so long. */
export async function inPublicationTurn<Result>(
  database: DataSource,
  waitMsMax: number,
  work: (manager: EntityManager) => Promise<Result>,
): Promise<Locked<Result>> {
  const deadline = Date.now() + waitMsMax;
  for (;;) {
    const turn = await asOnlyPublisher(database, work);
    if (turn.kind === 'done' || Date.now() >= deadline) return turn;
    await pause(turn_poll_ms);
  }
}
