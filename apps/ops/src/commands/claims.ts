import { Command } from 'commander';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { RebuildClaims } from '../claims/rebuild-claims.js';
import { databaseUrl, type Environment } from '../database-address.js';
import type { RunOnLog } from '../log-runner.js';
import { startProgress } from '../operations/progress.js';
import { changing, paced, runOperation } from '../operations/run-operation.js';
import type { GlobalOptions } from '../run-command.js';

export function claimsCommand(run: RunOnLog, env: Environment): Command {
  const claims = new Command('claims').description('the idempotency index of the event log');
  paced(changing(claims.command('rebuild')))
    .description(
      'make the claims that are missing from the log; says what it would do, unless told',
    )
    .action((_options: object, command: Command) =>
      run(command, async ({ log, database }) => {
        const { dataDir, json = false } = command.optsWithGlobals<GlobalOptions>();
        const ledger = new ClaimLedger({
          databaseUrl: await databaseUrl(dataDir, env),
          app: 'ops-claims',
          connectionsMax: 1,
        });
        try {
          const progress = (total: number) =>
            startProgress({ unit: 'records', total, doneBefore: 0, json });
          return await runOperation(command, database, new RebuildClaims(log, ledger, progress));
        } finally {
          await ledger.close();
        }
      }),
    );
  return claims;
}
