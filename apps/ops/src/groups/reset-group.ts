import { GroupActiveError, type EventLog } from '#event-log/event-log.js';
import { table } from '../answer.js';
import { CommandFailedError } from '../command-failed.js';
import type { Operation } from '../operations/operation.js';
import { groupOf } from './group-lag.js';

export const reset_command = 'group reset';

/** What moving a group does in one partition. */
export interface Move {
  readonly partition: number;
  /** Null when the group has committed nothing there. */
  readonly from: number | null;
  readonly to: number;
  /** Records it will be given once more. */
  readonly again: number;
  /** Records it will never be given. */
  readonly skipped: number;
}

export interface ResetPlan {
  readonly group: string;
  readonly topic: string;
  readonly members: number;
  readonly moves: readonly Move[];
}

/** The offsets of before, written down before any is moved: what `--undo` puts back. */
export interface ResetResult extends ResetPlan {
  readonly former: readonly FormerOffset[];
}

export interface FormerOffset {
  readonly partition: number;
  readonly offset: number | null;
}

interface ResetPlace {
  readonly former: readonly FormerOffset[];
}

export interface ResetRequest {
  readonly log: EventLog;
  readonly group: string;
  readonly topic: string;
  /** What was asked for, for the audit. */
  readonly arguments: object;
  /** Where each partition that is to be moved should be. */
  readonly targets: () => Promise<ReadonlyMap<number, number>>;
  /** A plan may be looked at while the group works; it may not be carried out. */
  readonly refuseLive: boolean;
}

/**
 * Moves a group to other offsets of a topic.
 *
 * Order of effects: 1. the offsets of now go into the checkpoint; 2. the group is moved; 3. both
 * go into the result. A crash after 1 moves it again to the same offsets; where it was moved
 * already, the offsets of the checkpoint are kept as the former ones.
 */
export function resetOperation(
  request: ResetRequest,
): Operation<ResetPlan, ResetPlace, ResetResult> {
  const { log, group, topic, targets, refuseLive } = request;
  return {
    command: reset_command,
    arguments: request.arguments,
    turn: `group ${group} ${topic}`,
    allOrNothing: true,
    unit: 'partitions',
    plan: async () => {
      const { members } = await groupOf(log, group);
      if (refuseLive && members > 0) throw groupActive(group, members);
      return { group, topic, members, moves: await movesTo(log, group, topic, await targets()) };
    },
    total: ({ moves }) => moves.length,
    planLines: (plan) => [
      ...moveLines(plan),
      ...(plan.members === 0
        ? []
        : [`It has ${plan.members} live member(s); ${stopFirst(group)} before --execute.`]),
    ],
    async *steps({ plan, place }) {
      const target = new Map(plan.moves.map(({ partition, to }) => [partition, BigInt(to)]));
      const now = await offsetsOf(log, group, topic, [...target.keys()]);
      const moved = now.every(({ partition, offset }) => offset === Number(target.get(partition)));
      const former = moved && place !== null ? place.former : now;
      yield { units: 0, place: { former } };
      await moveGroup(log, group, topic, target);
      yield { units: plan.moves.length, place: { former } };
      return { ...plan, former };
    },
    resultLines: (result) => [
      ...moveLines(result),
      'The group starts there when its members do; "ops group reset --undo" puts it back.',
    ],
  };
}

async function moveGroup(
  log: EventLog,
  group: string,
  topic: string,
  offsets: ReadonlyMap<number, bigint>,
): Promise<void> {
  try {
    await log.resetGroup(group, topic, { at: 'offsets', offsets });
  } catch (error) {
    if (error instanceof GroupActiveError) throw groupActive(group, error.members);
    throw error;
  }
}

async function movesTo(
  log: EventLog,
  group: string,
  topic: string,
  targets: ReadonlyMap<number, number>,
): Promise<readonly Move[]> {
  const ranges = await log.ranges(topic);
  const offsets = await offsetsOf(log, group, topic, [...targets.keys()]);
  return offsets.map(({ partition, offset }) => {
    const to = targets.get(partition)!;
    // A group that has committed nothing starts at the beginning.
    const low = ranges.find((range) => range.partition === partition)?.low ?? 0n;
    const stands = offset ?? Number(low);
    const again = Math.max(0, stands - to);
    return { partition, from: offset, to, again, skipped: Math.max(0, to - stands) };
  });
}

async function offsetsOf(
  log: EventLog,
  group: string,
  topic: string,
  partitions: readonly number[],
): Promise<readonly FormerOffset[]> {
  const committed = await log.committed(group, topic);
  return partitions.map((partition) => {
    const offset = committed.get(partition);
    return { partition, offset: offset === undefined ? null : Number(offset) };
  });
}

function moveLines({ group, topic, moves }: ResetPlan): readonly string[] {
  const sum = (of: 'again' | 'skipped') => moves.reduce((total, move) => total + move[of], 0);
  return [
    `${group} on ${topic}: ${sum('again')} records are delivered again, ${sum('skipped')} never.`,
    ...table(
      ['PARTITION', 'FROM', 'TO', 'AGAIN', 'SKIPPED'],
      moves.map(({ partition, from, to, again, skipped }) => [
        String(partition),
        from === null ? null : String(from),
        ...[to, again, skipped].map(String),
      ]),
    ),
  ];
}

function groupActive(group: string, members: number): CommandFailedError {
  return new CommandFailedError(
    'group_active',
    `Group ${group} has ${members} live member(s); ${stopFirst(group)}, then try again.`,
  );
}

/** Groups are called after the process that reads as them, and a version. */
function stopFirst(group: string): string {
  const app = ['ingest-worker', 'projector'].find((name) => group.startsWith(name));
  if (app === undefined) return 'stop every process that reads as this group';
  return `stop every ${app} ("APPS_LEFT_OUT=${app} npm start" runs the rest)`;
}
