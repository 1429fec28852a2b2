import type { EventLog, GroupSummary } from '#event-log/event-log.js';
import { CommandFailedError } from '../command-failed.js';

/** Where a group stands in one partition. */
export interface LagRow {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  /** The next offset it is to be given; null before it has committed any. */
  readonly committed: number | null;
  readonly high: number;
  readonly lag: number;
}

export async function lagOf(
  log: EventLog,
  { group, topics }: GroupSummary,
): Promise<readonly LagRow[]> {
  const rows: LagRow[] = [];
  for (const topic of topics) {
    for (const { partition, committed, high, lag } of await log.lag(group, topic)) {
      const position = committed === null ? null : Number(committed);
      const behind = Number(lag);
      rows.push({ group, topic, partition, committed: position, high: Number(high), lag: behind });
    }
  }
  return rows;
}

/** @throws CommandFailedError when the log knows no such group. */
export async function groupOf(log: EventLog, name: string): Promise<GroupSummary> {
  const found = (await log.groups()).find(({ group }) => group === name);
  if (found !== undefined) return found;
  throw new CommandFailedError(
    'group_not_found',
    `The event log knows no group "${name}"; "ops group list" shows them.`,
  );
}
