import { setTimeout as pause } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import type { PublicationReport } from './publication-report.js';

const answer_poll_ms = 50;

/** A report that is waited for is fetched within a poll. */
const report_kept_seconds = 60;

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
    const id = await this.ask({ rehearsal: false });
    return this.answered(timeoutMs, async () => {
      const [row] = await this.database.query<{ epoch: string | null }[]>(
        'select epoch from publication_request where id = $1',
        [id],
      );
      return row?.epoch == null ? null : Number(row.epoch);
    });
  }

  /**
   * Asks what an epoch would change if it were published now, and waits for the report. It holds
   * exact counts, so it is deleted as soon as it has been read.
   * @throws PublicationTimeoutError when no projector answered in time.
   */
  async rehearse(timeoutMs: number): Promise<PublicationReport> {
    const id = await this.ask({ rehearsal: true });
    try {
      return await this.answered(timeoutMs, async () => {
        const [row] = await this.database.query<{ report: PublicationReport | null }[]>(
          'select report from publication_request where id = $1',
          [id],
        );
        return row?.report ?? null;
      });
    } finally {
      await this.database.query('delete from publication_request where id = $1', [id]);
    }
  }

  private async ask({ rehearsal }: { readonly rehearsal: boolean }): Promise<string> {
    const [row] = await this.database.query<{ id: string }[]>(
      'insert into publication_request (rehearsal) values ($1) returning id',
      [rehearsal],
    );
    return row!.id;
  }

  private async answered<Answer>(
    timeoutMs: number,
    answer: () => Promise<Answer | null>,
  ): Promise<Answer> {
    const deadline = Date.now() + timeoutMs;
    for (;;) {
      const given = await answer();
      if (given !== null) return given;
      if (Date.now() >= deadline) throw new PublicationTimeoutError(timeoutMs);
      await pause(answer_poll_ms);
    }
  }
}

/** Whether anybody waits for an epoch or for a report. */
export async function hasOpenRequests(manager: EntityManager): Promise<boolean> {
  const rows = await manager.query<unknown[]>(
    'select 1 from publication_request where answered_at is null limit 1',
  );
  return rows.length > 0;
}

/** Ids of the requests that wait for an epoch. */
export async function openRequests(manager: EntityManager): Promise<string[]> {
  return openIds(manager, { rehearsal: false });
}

/** Ids of the requests that wait for a report. */
export async function openRehearsals(manager: EntityManager): Promise<string[]> {
  return openIds(manager, { rehearsal: true });
}

async function openIds(
  manager: EntityManager,
  { rehearsal }: { readonly rehearsal: boolean },
): Promise<string[]> {
  const rows = await manager.query<{ id: string }[]>(
    `select id from publication_request
     where answered_at is null and rehearsal = $1 order by id`,
    [rehearsal],
  );
  return rows.map(({ id }) => id);
}

/** Gives a report to who asked; reports that nobody has fetched in time are forgotten. */
export async function answerRehearsals(
  manager: EntityManager,
  ids: readonly string[],
  report: PublicationReport,
): Promise<void> {
  await manager.query(
    `delete from publication_request
     where rehearsal and answered_at < now() - make_interval(secs => $1)`,
    [report_kept_seconds],
  );
  await manager.query(
    'update publication_request set report = $2, answered_at = now() where id = any($1::bigint[])',
    [ids, JSON.stringify(report)],
  );
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
