import { Command, Option } from 'commander';
import type { Database } from '#postgres/database.js';
import { OperationJournal } from '#postgres/operations/operation-journal.js';
import type { OperationEntry, OperationState } from '#postgres/operations/operation.js';
import { instant, table, type Answer } from '../answer.js';
import { count, operationId } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';
import type { OperationOptions } from '../operations/operation.js';
import { changing } from '../operations/run-operation.js';
import type { RunCommand } from '../run-command.js';
import { systemUser } from '../system-user.js';

const listed_default = 20;

interface ListOptions {
  readonly command?: string;
  readonly state?: OperationState;
  readonly limit: number;
}

export function operationsCommand(run: RunCommand): Command {
  const operations = new Command('operations').description(
    'what operators did with --execute, and what is unfinished; for erasures "erase list"',
  );
  operations
    .command('list')
    .description('list operations, newest first')
    .option('--command <words>', 'only of this command, for example "group reset"')
    .addOption(
      new Option('--state <state>', 'only in this state').choices([
        'running',
        'completed',
        'failed',
        'cancelled',
      ]),
    )
    .option('--limit <n>', 'at most so many', count, listed_default)
    .action((options: ListOptions, command: Command) =>
      run(command, (_store, database) => listOperations(database, options)),
    );
  operations
    .command('show')
    .description('all that is known of an operation')
    .argument('<operation-id>', 'id of the operation', operationId)
    .action((id: string, _options: object, command: Command) =>
      run(command, async (_store, database) => {
        const shown = toListed(await entryOf(database, id));
        return { lines: [JSON.stringify(shown, null, 2)], json: shown };
      }),
    );
  changing(operations.command('cancel'))
    .description('end an unfinished operation where it stands; what it did stays done')
    .argument('<operation-id>', 'id of the operation', operationId)
    .action((id: string, options: OperationOptions, command: Command) =>
      run(command, (_store, database) => cancelOperation(database, id, options)),
    );
  return operations;
}

async function listOperations(database: Database, options: ListOptions): Promise<Answer> {
  const shown = (await new OperationJournal(database).list(options)).map(toListed);
  return {
    lines: table(
      ['ID', 'COMMAND', 'STATE', 'DONE', 'BY', 'STARTED', 'ARGUMENTS'],
      shown.map((row) => [
        row.operationId,
        row.command,
        row.state,
        String(row.done),
        row.requestedBy,
        row.startedAt,
        JSON.stringify(row.arguments),
      ]),
    ),
    json: shown,
  };
}

async function cancelOperation(
  database: Database,
  id: string,
  { execute, by }: OperationOptions,
): Promise<Answer> {
  const entry = await entryOf(database, id);
  if (entry.completedAt !== null) {
    throw new CommandFailedError('operation_ended', `Operation ${id} is ${entry.state} already.`);
  }
  const shown = toListed(entry);
  const json = { command: 'operations cancel', operation: shown };
  if (execute !== true) {
    const lines = [
      `Operation ${id}, "${shown.command}", is ${shown.state} at ${shown.done}.`,
      'Nothing was changed; --execute ends it there.',
    ];
    return { lines, json: { executed: false, ...json } };
  }
  if (!(await new OperationJournal(database).cancel(id, by ?? systemUser()))) {
    throw new CommandFailedError('operation_ended', `Operation ${id} has ended in the meantime.`);
  }
  const lines = [`Operation ${id} is cancelled; what it did stays done.`];
  return { lines, json: { executed: true, ...json } };
}

async function entryOf(database: Database, id: string): Promise<OperationEntry> {
  const entry = await new OperationJournal(database).find(id);
  if (entry !== null) return entry;
  throw new CommandFailedError(
    'operation_not_found',
    `There is no operation ${id}; "ops operations list" shows them.`,
  );
}

/** An operation that nobody runs, though its last word was that it runs, was interrupted. */
function toListed({ id, command, state, live, checkpoint, ...entry }: OperationEntry) {
  return {
    operationId: id,
    command,
    arguments: entry.arguments,
    state: state === 'running' && !live ? 'interrupted' : state,
    done: checkpoint?.done ?? 0,
    requestedBy: entry.requestedBy,
    startedAt: instant(entry.startedAt),
    updatedAt: instant(entry.updatedAt),
    completedAt: instant(entry.completedAt),
    plan: entry.plan,
    checkpoint,
    result: entry.result,
  };
}
