import type { Writable } from 'node:stream';
import { Command, CommanderError, Help, type Option } from 'commander';
import { InvalidConfigError } from '#runtime/load-config.js';
import { app_version } from '#runtime/version.js';
import { CommandFailedError } from './command-failed.js';
import { campaignCommand } from './commands/campaign.js';
import { claimsCommand } from './commands/claims.js';
import { eraseCommand } from './commands/erase.js';
import { groupCommand } from './commands/group.js';
import { keysCommand } from './commands/keys.js';
import { logCommand } from './commands/log.js';
import { operationsCommand } from './commands/operations.js';
import { orgCommand } from './commands/org.js';
import { productCommand } from './commands/product.js';
import { projectionCommand } from './commands/projection.js';
import { explainCommand, publishCommand } from './commands/publication.js';
import { quarantineCommand } from './commands/quarantine.js';
import { replayCommand } from './commands/replay.js';
import { verifyCommand } from './commands/verify.js';
import type { Environment } from './database-address.js';
import { logRunner } from './log-runner.js';
import { InterruptedError } from './operations/stop-on-signals.js';
import { commandRunner, type RunCommand } from './run-command.js';
import { UsageError } from './usage-error.js';

export const exit_codes = { ok: 0, failed: 1, usage: 2, interrupted: 130 } as const;

const examples = `
The database is the one of DATABASE_URL, or of a running "npm start" with --data-dir .data.

Examples:
  ops org create acme --name "Acme Inc."
  ops org domain add acme acme.com
  ops product create code-search --org acme --type api --tool code-search --category search
  ops product policy code-search --org acme --ignore-environment staging
  ops campaign create spring-2026 --org acme --name "Spring" --starts 2026-03-01
  ops keys create --org acme --name "production"
  ops publish --dry-run
  ops explain code-search
  ops keys rotate 01890a5d-ac96-774b-bcce-b302099a8057 --overlap PT24H
  ops erase --org acme --developer-id-stdin < id.txt
  ops erase --email-stdin --execute < address.txt
  ops log tail usage.received.v1 --from PT1H --follow
  ops log export usage.accepted.v1 --out accepted.ndjson
  ops group lag
  ops group reset ingest-worker-v1 --topic usage.received.v1 --by-duration PT1H
  ops replay usage.received.v1 --from 2026-03-01 --organization acme --rate 500 --execute
  ops quarantine list
  ops quarantine redrive --reason unknown_event_name --execute
  ops verify log
  ops claims rebuild --rate 2000 --execute
  ops operations list
  ops projection build adoption --version 2 --execute
  ops projection verify adoption --version 2
  ops projection cutover adoption --version 2 --execute
  ops projection rollback adoption --execute
The event log is the one in the database, or with KAFKA_BROKERS and its like the one in Kafka.
Projections need CLICKHOUSE_URL, or --data-dir, too.
Erasing also needs CLICKHOUSE_URL and IDENTITY_PEPPER, or --data-dir.

Exit codes: 0 done, 1 failed, 2 wrong usage, 130 stopped by a signal; --execute again continues.`;

/** Runs one command line and answers with the exit code of the process. */
export async function runOps(parameters: readonly string[], env: Environment): Promise<number> {
  const json = parameters.includes('--json');
  // Whoever writes there is told of a failure; unheard, it would end the process with a stack.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const run = commandRunner(env, (text) => writeTo(process.stdout, text));
  try {
    await program(run, env, parameters).parseAsync(parameters, { from: 'user' });
    return exit_codes.ok;
  } catch (error) {
    return report(error, json);
  }
}

function writeTo(stream: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

function program(run: RunCommand, env: Environment, parameters: readonly string[]): Command {
  const json = parameters.includes('--json');
  const ops = new Command('ops')
    .description(
      'Organizations, products, campaigns and keys of Uptake; epochs, erasure, the event log.',
    )
    .option('--json', 'print one JSON value instead of text, errors too')
    .option('--data-dir <dir>', 'data directory of a running "npm start"')
    .addHelpText('after', examples);
  // Beside other words it is the option of a command: "projection build adoption --version 2".
  if (parameters.length === 1) ops.version(app_version);
  for (const group of [orgCommand(run), productCommand(run), campaignCommand(run)]) {
    ops.addCommand(group);
  }
  ops.addCommand(keysCommand(run));
  ops.addCommand(eraseCommand(run, env));
  ops.addCommand(operationsCommand(run));
  const onLog = logRunner(env, run);
  for (const command of [logCommand, groupCommand, replayCommand, quarantineCommand]) {
    ops.addCommand(command(onLog));
  }
  ops.addCommand(verifyCommand(onLog, env));
  ops.addCommand(claimsCommand(onLog, env));
  ops.addCommand(projectionCommand(run, env));
  for (const command of [publishCommand(run), explainCommand(run)]) ops.addCommand(command);
  throughout(ops, json);
  return ops;
}

/** Settings that a command does not hand on to commands made on their own. */
function throughout(command: Command, json: boolean): void {
  command.exitOverride().showHelpAfterError('(--help shows what there is)');
  command.configureHelp({ optionDescription });
  if (json) command.configureOutput({ writeErr: () => undefined });
  for (const inner of command.commands) throughout(inner, json);
}

const ofHelp = new Help();

function optionDescription(option: Option): string {
  const description = ofHelp.optionDescription(option);
  return option.mandatory ? `${description} (required)` : description;
}

function report(error: unknown, json: boolean): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return exit_codes.ok;
    // Commander has told people already.
    const isHelp = error.code === 'commander.help';
    if (json) printError('usage', isHelp ? 'A command is missing.' : error.message, json);
    return exit_codes.usage;
  }
  if (error instanceof UsageError || error instanceof InvalidConfigError) {
    printError('usage', error.message, json);
    return exit_codes.usage;
  }
  if (error instanceof InterruptedError) {
    printError('interrupted', error.message, json);
    return exit_codes.interrupted;
  }
  if (error instanceof CommandFailedError) printError(error.code, error.message, json);
  else printError('failed', messageOf(error), json);
  return exit_codes.failed;
}

function printError(code: string, message: string, json: boolean): void {
  const text = json ? JSON.stringify({ error: { code, message } }) : `ops: ${message}`;
  process.stderr.write(`${text}\n`);
}

/** A refused connection to several addresses says so only inside. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError && error.message === '') {
    return error.errors.map(messageOf).join('; ');
  }
  return error instanceof Error ? error.message : String(error);
}
