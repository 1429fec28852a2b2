import type { EventLog } from '#event-log/event-log.js';
import type { Database } from '#postgres/database.js';
import { OperationJournal } from '#postgres/operations/operation-journal.js';
import type { OperationEntry } from '#postgres/operations/operation.js';
import { CommandFailedError } from '../command-failed.js';
import { reset_command, type ResetRequest, type ResetResult } from './reset-group.js';

const searched_max = 1_000;

/** The reset that is to be undone: the one of this id, or the newest that was not undone yet. */
export async function resetToUndo(
  database: Database,
  id: string | null,
  group: string | undefined,
): Promise<OperationEntry> {
  const journal = new OperationJournal(database);
  const resets = await journal.list({
    command: reset_command,
    state: 'completed',
    limit: searched_max,
  });
  const undone = new Set(resets.map(({ arguments: given }) => given['undo']));
  const candidates = resets.filter(
    (entry) => group === undefined || entry.arguments['group'] === group,
  );
  const found =
    id === null
      ? candidates.find((entry) => entry.arguments['undo'] === undefined && !undone.has(entry.id))
      : candidates.find((entry) => entry.id === id);
  if (found !== undefined) return found;
  throw new CommandFailedError(
    'nothing_to_undo',
    `There is no such completed reset; "ops operations list --command '${reset_command}'" ` +
      'shows them.',
  );
}

/** Puts back the offsets of before a reset, as far as the log still has them. */
export function undoRequest(
  log: EventLog,
  reset: OperationEntry,
  refuseLive: boolean,
): ResetRequest {
  const { group, topic, former } = reset.result as unknown as ResetResult;
  return {
    log,
    group,
    topic,
    arguments: { group, topic, undo: reset.id },
    refuseLive,
    targets: async () => {
      const ranges = await log.ranges(topic);
      return new Map(
        former.map(({ partition, offset }) => {
          const low = Number(ranges.find((range) => range.partition === partition)?.low ?? 0n);
          // Nothing committed means the beginning, and so does what retention has removed.
          return [partition, Math.max(offset ?? low, low)];
        }),
      );
    },
  };
}
