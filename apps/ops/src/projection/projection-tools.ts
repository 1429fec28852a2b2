import type { Command } from 'commander';
import { openClickhouse } from '#clickhouse/clickhouse.js';
import { adoption_projection } from '#read-models/adoption-version/adoption-version.js';
import type { ProjectionStores } from '#read-models/project-usage/project-usage.js';
import { VersionBehindError } from '#read-models/rebuild/catch-up.js';
import { PublicationBusyError } from '#read-models/rebuild/stale-days.js';
import { createLogger } from '#runtime/logger.js';
import type { Answer } from '../answer.js';
import { CommandFailedError } from '../command-failed.js';
import type { Environment } from '../database-address.js';
import { logRunner } from '../log-runner.js';
import type { GlobalOptions, RunCommand } from '../run-command.js';
import { columnStoreUrl } from '../verification/column-store-address.js';

/** A comparison reads all rows of some weeks by one statement. */
const statement_ms_max = 1_800_000;

/** Opens the stores of a projection, does the work of a command and prints its answer. */
export type RunOnProjection = (
  command: Command,
  projection: string,
  work: (stores: ProjectionStores) => Promise<Answer>,
) => Promise<void>;

export function projectionRunner(run: RunCommand, env: Environment): RunOnProjection {
  const onLog = logRunner(env, run);
  return (command, projection, work) =>
    onLog(command, async ({ log, database }) => {
      refuseUnknown(projection);
      const { dataDir, json } = command.optsWithGlobals<GlobalOptions>();
      const url = await columnStoreUrl(dataDir, env);
      const clickhouse = openClickhouse({ url, app: 'ops', requestTimeoutMs: statement_ms_max });
      // Standard output is the answer's, and with --json standard error is one value, too.
      const logger = createLogger('ops', json === true ? 'silent' : 'warn', process.stderr);
      try {
        return await work({ log, database, clickhouse, logger });
      } catch (error) {
        if (error instanceof VersionBehindError)
          throw new CommandFailedError('behind', error.message);
        if (error instanceof PublicationBusyError)
          throw new CommandFailedError('busy', error.message);
        throw error;
      } finally {
        await clickhouse.close();
      }
    });
}

function refuseUnknown(projection: string): void {
  if (projection === adoption_projection) return;
  throw new CommandFailedError(
    'projection_not_found',
    `There is no projection "${projection}"; there is "${adoption_projection}".`,
  );
}
