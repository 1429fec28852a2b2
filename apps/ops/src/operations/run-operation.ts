import { setTimeout as pause } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { Database } from '#postgres/database.js';
import { OperationJournal } from '#postgres/operations/operation-journal.js';
import type { OperationEntry } from '#postgres/operations/operation.js';
import { OperationCancelledError, type OperationRun } from '#postgres/operations/operation-run.js';
import { instant, type Answer } from '../answer.js';
import { label } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';
import type { GlobalOptions } from '../run-command.js';
import { systemUser } from '../system-user.js';
import type { Operation, OperationOptions } from './operation.js';
import { spend, stepUnits, type Pace } from './pacing.js';
import { startProgress } from './progress.js';
import { OperationInterruptedError, stopOnSignals } from './stop-on-signals.js';

const rate_max = 1_000_000;

/** Adds the options of every command that changes something. */
export function changing(command: Command): Command {
  return command
    .option('--execute', 'do it; continues what an interrupted run left')
    .option('--by <name>', 'who asks for it, for the audit record; else the system user', label);
}

/** The option of commands that work through many records. */
export function paced(command: Command): Command {
  return command.option('--rate <n>', 'at most so many a second', unitsPerSecond);
}

function unitsPerSecond(text: string): number {
  const rate = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && rate > 0 && rate <= rate_max) return rate;
  throw new InvalidArgumentError(`A number above 0 and up to ${rate_max}.`);
}

/**
 * Shows the plan of an operation, or with `--execute` carries it out: audited, resumable, one at a
 * time, under a progress bar. `command` is the one whose options count.
 *
 * What the process survives: a signal ends the run after the step at hand (exit code 130); `kill
 * -9`, a failure or a lost database leave the checkpoint of the last whole step. In every case the
 * same command line with `--execute` goes on from there, under the plan of the first run.
 * @throws CommandFailedError `busy`, OperationInterruptedError, and what the operation throws.
 */
export async function runOperation<Plan extends object, Place, Result extends object>(
  command: Command,
  database: Database,
  operation: Operation<Plan, Place, Result>,
): Promise<Answer> {
  const options = command.optsWithGlobals<OperationOptions & GlobalOptions>();
  const journal = new OperationJournal(database);
  const request = {
    command: operation.command,
    arguments: operation.arguments,
    turn: operation.turn,
    requestedBy: options.by ?? systemUser(),
  };
  if (options.execute !== true) {
    const unfinished = await journal.unfinished(request);
    const plan = unfinished === null ? await operation.plan() : (unfinished.plan as Plan);
    return planAnswer(operation, plan, unfinished);
  }
  const turn = await journal.inTurn(
    request,
    () => operation.plan(),
    (run) => carryOut(operation, run, options),
  );
  if (turn.kind === 'done') return turn.result;
  throw new CommandFailedError(
    'busy',
    `Another process does what excludes "${operation.command}" now; "ops operations list" shows ` +
      'it. Wait for its end, or stop it: it continues later from where it stands.',
  );
}

function planAnswer<Plan extends object, Place, Result extends object>(
  operation: Operation<Plan, Place, Result>,
  plan: Plan,
  unfinished: OperationEntry | null,
): Answer {
  const done = unfinished?.checkpoint?.done ?? 0;
  const begun =
    unfinished === null
      ? []
      : [
          `Operation ${unfinished.id} of ${instant(unfinished.startedAt)} is unfinished: ` +
            `${done} of ${operation.total(plan)} ${operation.unit} are done.`,
        ];
  const { id, startedAt } = unfinished ?? { id: null, startedAt: null };
  return {
    lines: [
      ...operation.planLines(plan),
      ...begun,
      `Nothing was changed; --execute ${unfinished === null ? 'does it' : 'continues it'}.`,
    ],
    json: {
      executed: false,
      command: operation.command,
      plan,
      unfinished: id === null ? null : { operationId: id, startedAt: instant(startedAt), done },
    },
  };
}

async function carryOut<Plan extends object, Place, Result extends object>(
  operation: Operation<Plan, Place, Result>,
  run: OperationRun,
  options: OperationOptions & GlobalOptions,
): Promise<Answer> {
  const { id } = run.entry;
  const plan = run.entry.plan as Plan;
  try {
    const result = await takeSteps(operation, run, options);
    await run.complete(result);
    const resumed = run.resumed ? ' It continued what an earlier run had begun.' : '';
    return {
      lines: [...operation.resultLines(result, plan), `Operation ${id} is completed.${resumed}`],
      json: { executed: true, operationId: id, resumed: run.resumed, ...result },
    };
  } catch (error) {
    if (error instanceof OperationCancelledError) {
      throw new CommandFailedError('cancelled', error.message);
    }
    // What went wrong is worth more than that it could not be written down.
    if (!(error instanceof OperationInterruptedError)) {
      const message = error instanceof Error ? error.message : String(error);
      const final = operation.allOrNothing === true;
      await run.fail(message, { final }).catch(() => undefined);
    }
    throw error;
  }
}

async function takeSteps<Plan extends object, Place, Result extends object>(
  operation: Operation<Plan, Place, Result>,
  run: OperationRun,
  { rate, json = false }: OperationOptions & GlobalOptions,
): Promise<Result> {
  const { id, checkpoint } = run.entry;
  const plan = run.entry.plan as Plan;
  let done = checkpoint?.done ?? 0;
  const { unit } = operation;
  const progress = startProgress({ unit, total: operation.total(plan), doneBefore: done, json });
  const stop = stopOnSignals();
  const steps = operation.steps({
    operationId: id,
    plan,
    place: (checkpoint?.place ?? null) as Place | null,
    doneBefore: done,
    stepUnitsMax: stepUnits(rate),
    signal: stop.signal,
  });
  let pace: Pace = { credit: 0, at: Date.now() };
  try {
    for (;;) {
      const step = await steps.next();
      if (step.done === true) return step.value;
      done += step.value.units;
      await run.checkpoint({ done, place: step.value.place });
      progress.show(done);
      if (rate !== undefined) {
        const next = spend(pace, step.value.units, rate, Date.now());
        pace = next.pace;
        await pause(next.waitMs, undefined, { signal: stop.signal }).catch(() => undefined);
      }
      if (stop.signal.aborted) throw new OperationInterruptedError(id, done);
    }
  } finally {
    stop.release();
    progress.end();
    await steps.return(undefined as never);
  }
}
