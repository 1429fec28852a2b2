import { Argument, Command } from 'commander';
import { table, type Answer } from '../answer.js';
import { CommandFailedError } from '../command-failed.js';
import type { Environment } from '../database-address.js';
import type { LogTools, RunOnLog } from '../log-runner.js';
import { startProgress } from '../operations/progress.js';
import type { GlobalOptions } from '../run-command.js';
import { projection_names } from '../verification/consumers.js';
import type { StartProgress, VerificationReport } from '../verification/verification.js';
import { verifyLedger } from '../verification/verify-ledger.js';
import { verifyLog } from '../verification/verify-log.js';
import { verifyKeptProjection } from '../verification/verify-projection.js';

const explanation = `
Reads only, without a consumer group, up to where the log ends when it begins; the service may run.
Exit code 1 when something is wrong; the first places are listed.`;

type Verify = (tools: LogTools, progress: StartProgress) => Promise<VerificationReport>;

export function verifyCommand(run: RunOnLog, env: Environment): Command {
  const verify = new Command('verify').description('prove that the stores agree with each other');
  verify
    .command('log')
    .description('received = accepted + duplicates + superseded + quarantined, record by record')
    .addHelpText('after', explanation)
    .action((_options: object, command: Command) =>
      report(run, command, 'log', ({ log, database }, progress) =>
        verifyLog(log, database, progress),
      ),
    );
  verify
    .command('ledger')
    .description('every claim has its record in the log, and every judged record its claim')
    .addHelpText('after', explanation)
    .action((_options: object, command: Command) =>
      report(run, command, 'ledger', ({ log, database }, progress) =>
        verifyLedger(log, database, progress),
      ),
    );
  verify
    .command('projection')
    .description('every accepted event has its row in the column store, and nothing else has one')
    .addArgument(new Argument('[name]').choices(projection_names).default('adoption'))
    .addHelpText('after', explanation)
    .action((name: string, _options: object, command: Command) => {
      const { dataDir } = command.optsWithGlobals<GlobalOptions>();
      return report(run, command, `projection ${name}`, (tools, progress) =>
        verifyKeptProjection({ ...tools, dataDir, env }, progress),
      );
    });
  return verify;
}

/** Prints what was found, then fails when something was. */
async function report(run: RunOnLog, command: Command, what: string, verify: Verify) {
  const { json = false } = command.optsWithGlobals<GlobalOptions>();
  const progress: StartProgress = (total) =>
    startProgress({ unit: 'records', total, doneBefore: 0, json });
  let found = 0;
  await run(command, async (tools) => {
    const answer = await verify(tools, progress);
    found = answer.findings.total;
    return toAnswer(what, answer);
  });
  if (found > 0) {
    throw new CommandFailedError('not_sound', `verify ${what}: ${found} things are wrong.`);
  }
}

function toAnswer(
  what: string,
  { sound, counts, statement, findings }: VerificationReport,
): Answer {
  const { total, byKind, listed } = findings;
  const kinds = Object.entries(byKind).map(([kind, count]) => [kind, String(count)]);
  const places = listed.map(({ kind, eventId, where, detail }) => [kind, where, eventId, detail]);
  return {
    lines: [
      ...statement,
      ...(total === 0
        ? [`verify ${what}: sound.`]
        : [
            '',
            ...table(['WRONG', 'COUNT'], kinds),
            '',
            ...table(['WRONG', 'WHERE', 'EVENT', 'WHY'], places),
            ...(total > listed.length ? [`… and ${total - listed.length} more.`] : []),
          ]),
    ],
    json: { verified: what, sound, counts, findings },
  };
}
