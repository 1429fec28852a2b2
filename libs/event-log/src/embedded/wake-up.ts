import type { Pool } from 'pg';

/** Carries the ids of topics with new records, or `members:<group>` after a change of a group. */
export const wake_up_channel = 'event_log';

/**
 * Tells waiting members that a topic grew. Outside the append transaction, because `notify` takes
 * a lock that would put all commits of the database in a row; throttled, and lost without harm,
 * because members also poll.
 */
export class WakeUp {
  private readonly waiting = new Set<number>();
  private timer: NodeJS.Timeout | null = null;
  private sentAt = 0;

  constructor(
    private readonly pool: Pool,
    private readonly intervalMs: number,
  ) {}

  topicGrew(topicId: number): void {
    this.waiting.add(topicId);
    if (this.timer !== null) return;
    const rest = Math.max(0, this.sentAt + this.intervalMs - Date.now());
    this.timer = setTimeout(() => this.send(), rest);
    this.timer.unref();
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  private send(): void {
    this.timer = null;
    this.sentAt = Date.now();
    const payload = [...this.waiting].join(',');
    this.waiting.clear();
    this.pool.query('select pg_notify($1, $2)', [wake_up_channel, payload]).catch(() => undefined);
  }
}
