import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';

const answer_poll_ms = 50;

/** Nobody published in time; the request stays open and will still be answered. */
export class PublicationTimeoutError extends Error {
  constructor(readonly timeoutMs: number) {
    super(`No epoch was published within ${timeoutMs} ms; is a projector running?`);
    this.name = 'PublicationTimeoutError';
  }
}

/** Publication on demand, asked for by any process and answered by a projector. */
export class PublicationRequests {
  constructor(private readonly database: DataSource) {}

  /**
   * Asks for an epoch and waits for it. It covers at least every event whose rows were stored when
   * this was called.
   * @throws PublicationTimeoutError when no projector answered in time.
   */
  async publish(timeoutMs: number): Promise<number> {
    const [row] = await this.database.query<{ id: string }[]>(
      'insert into publication_request default values returning id',
    );
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const epoch = await this.answer(row!.id);
      if (epoch !== null) return epoch;
      if (Date.now() >= deadline) throw new PublicationTimeoutError(timeoutMs);
      await pause(answer_poll_ms);
    }
  }

  /** The epoch that answers a request; null while it is open. */
  private async answer(id: string): Promise<number | null> {
    const [row] = await this.database.query<{ epoch: string | null }[]>(
      'select epoch from publication_request where id = $1',
      [id],
    );
    return row?.epoch == null ? null : Number(row.epoch);
  }
}

/** Ids of the requests that wait for an epoch. */
export async function openRequests(manager: EntityManager): Promise<string[]> {
  const rows = await manager.query<{ id: string }[]>(
    'select id from publication_request where answered_at is null order by id',
  );
  return rows.map(({ id }) => id);
}

/** Answers the requests that were open before an epoch was begun, and no later ones. */
export async function answerRequests(
  manager: EntityManager,
  ids: readonly string[],
  epoch: number,
): Promise<void> {
  await manager.query(
    'update publication_request set epoch = $2, answered_at = now() where id = any($1::bigint[])',
    [ids, epoch],
  );
}
