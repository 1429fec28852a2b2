import type { DataSource, EntityManager } from 'typeorm';

/** Advisory lock of the one publisher over all projector processes. */
const publication_lock = 7_305_002;

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
