import { Command } from 'commander';
import type { EventLog } from '#event-log/event-log.js';
import { table, type Answer } from '../answer.js';
import { operationId } from '../arguments.js';
import { groupOf, lagOf } from '../groups/group-lag.js';
import { resetOperation, type ResetRequest } from '../groups/reset-group.js';
import { resetToUndo, undoRequest } from '../groups/undo-reset.js';
import type { LogTools, RunOnLog } from '../log-runner.js';
import {
  givenDuration,
  givenEnd,
  givenOffsets,
  givenTime,
  offsetsAt,
  type GivenPosition,
} from '../log/positions.js';
import type { OperationOptions } from '../operations/operation.js';
import { changing, runOperation } from '../operations/run-operation.js';
import { UsageError } from '../usage-error.js';

interface ResetOptions extends OperationOptions {
  readonly topic?: string;
  readonly toOffset?: GivenPosition;
  readonly toTime?: GivenPosition;
  readonly byDuration?: GivenPosition;
  readonly to?: GivenPosition;
  /** `true`: the newest reset. */
  readonly undo?: string | true;
}

export function groupCommand(run: RunOnLog): Command {
  const group = new Command('group').description('consumer groups and where they stand');
  group
    .command('list')
    .description('list the groups')
    .action((_options: object, command: Command) => run(command, ({ log }) => listGroups(log)));
  group
    .command('lag')
    .description('committed offsets and lag by partition')
    .argument('[group]', 'of one group only')
    .action((name: string | undefined, _options: object, command: Command) =>
      run(command, ({ log }) => showLag(log, name)),
    );
  changing(group.command('reset'))
    .description('move a group to other offsets, or put it back; its members must be stopped')
    .argument('[group]', 'name of the group')
    .option('--topic <topic>', 'the topic to move it on')
    .option('--to-offset <offsets>', 'by partition, for example 0:15,3:20', givenOffsets)
    .option('--to-time <time>', 'to the first records at or after an instant', givenTime)
    .option('--by-duration <duration>', 'to the records since so long ago, as PT1H', givenDuration)
    .option('--to <end>', 'to the beginning or the end', givenEnd)
    .option(
      '--undo [operation-id]',
      'put back what a reset, else the newest, has moved',
      operationId,
    )
    .action((name: string | undefined, options: ResetOptions, command: Command) =>
      run(command, (tools) => resetGroup(tools, name, options, command)),
    );
  return group;
}

async function listGroups(log: EventLog): Promise<Answer> {
  const shown = [];
  for (const summary of await log.groups()) {
    const rows = await lagOf(log, summary);
    shown.push({ ...summary, lag: rows.reduce((sum, { lag }) => sum + lag, 0) });
  }
  return {
    lines: table(
      ['GROUP', 'TOPICS', 'MEMBERS', 'LAG'],
      shown.map(({ group, topics, members, lag }) => [
        group,
        topics.join(' '),
        String(members),
        String(lag),
      ]),
    ),
    json: shown,
  };
}

async function showLag(log: EventLog, name: string | undefined): Promise<Answer> {
  const groups = name === undefined ? await log.groups() : [await groupOf(log, name)];
  const rows = (await Promise.all(groups.map((group) => lagOf(log, group)))).flat();
  return {
    lines: table(
      ['GROUP', 'TOPIC', 'PARTITION', 'COMMITTED', 'HIGH', 'LAG'],
      rows.map(({ group, topic, partition, committed, high, lag }) => [
        group,
        topic,
        String(partition),
        committed === null ? null : String(committed),
        String(high),
        String(lag),
      ]),
    ),
    json: rows,
  };
}

async function resetGroup(
  tools: LogTools,
  name: string | undefined,
  options: ResetOptions,
  command: Command,
): Promise<Answer> {
  const request =
    options.undo === undefined
      ? toRequest(tools.log, name, options)
      : await toUndoRequest(tools, name, options);
  return runOperation(command, tools.database, resetOperation(request));
}

function toRequest(log: EventLog, group: string | undefined, options: ResetOptions): ResetRequest {
  const { topic, toOffset, toTime, byDuration, to, execute = false } = options;
  const positions = Object.entries({ toOffset, toTime, byDuration, to }).flatMap(
    ([option, position]) => (position === undefined ? [] : [{ option, position }]),
  );
  const [chosen] = positions;
  if (group === undefined || topic === undefined || chosen === undefined || positions.length > 1) {
    throw new UsageError(
      'Name the group, --topic and one of --to-offset, --to-time, --by-duration and --to; ' +
        'or --undo, with nothing but the group or the id of a reset.',
    );
  }
  const { option, position } = chosen;
  return {
    log,
    group,
    topic,
    arguments: { group, topic, [option]: position.text },
    refuseLive: execute,
    targets: async () => {
      const offsets = await offsetsAt(log, topic, position, await log.ranges(topic));
      return new Map([...offsets].map(([partition, offset]) => [partition, Number(offset)]));
    },
  };
}

async function toUndoRequest(
  { log, database }: LogTools,
  group: string | undefined,
  { undo, topic, toOffset, toTime, byDuration, to, execute = false }: ResetOptions,
): Promise<ResetRequest> {
  if ([topic, toOffset, toTime, byDuration, to].some((option) => option !== undefined)) {
    throw new UsageError('--undo goes with nothing but the group or the id of a reset.');
  }
  const id = typeof undo === 'string' ? undo : null;
  return undoRequest(log, await resetToUndo(database, id, group), execute);
}
