import { Command } from 'commander';
import { usageAcceptedTopic } from '#contracts/topics.js';
import type { ProjectionVersion } from '#postgres/projections/projection-version.js';
import { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import {
  adoption_projection,
  adoptionVersion,
} from '#read-models/adoption-version/adoption-version.js';
import { readStoredRows } from '#read-models/adoption-version/stored-versions.js';
import type { ProjectionStores } from '#read-models/project-usage/project-usage.js';
import { verifyVersion } from '#read-models/rebuild/verify-version.js';
import { instant, table, type Answer } from '../answer.js';
import { versionNumber } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';
import type { Environment } from '../database-address.js';
import type { OperationOptions } from '../operations/operation.js';
import { changing, paced, runOperation } from '../operations/run-operation.js';
import { buildOperation } from '../projection/build-operation.js';
import { projectionRunner } from '../projection/projection-tools.js';
import {
  cutOverOperation,
  dropOperation,
  rollBackOperation,
  versionToRollBackTo,
} from '../projection/switch-operations.js';
import { verificationLines } from '../projection/verification-lines.js';
import type { RunCommand } from '../run-command.js';

interface VersionOptions extends OperationOptions {
  readonly version: number;
}

export function projectionCommand(run: RunCommand, env: Environment): Command {
  const onProjection = projectionRunner(run, env);
  const projection = new Command('projection').description(
    'rebuild what is derived from the log beside what is live, compare, and switch',
  );
  const named = (name: string) =>
    projection.command(name).argument('[projection]', 'its name', adoption_projection);
  const versioned = (name: string) =>
    named(name).requiredOption('--version <n>', 'number of the version', versionNumber);

  named('status')
    .description('versions, how far each is, and what the last comparison found')
    .action((name: string, _options: object, command: Command) =>
      onProjection(command, name, status),
    );
  paced(changing(versioned('build')))
    .description('build a version from the beginning of the log; nobody reads it yet')
    .action((name: string, { version, rate }: VersionOptions, command: Command) =>
      onProjection(command, name, (stores) =>
        runOperation(command, stores.database, buildOperation(stores, version, rate)),
      ),
    );
  versioned('verify')
    .description('compare a version with the live one, row by row; fails when they differ')
    .action((name: string, { version }: VersionOptions, command: Command) =>
      onProjection(command, name, (stores) => verify(stores, version)),
    );
  changing(versioned('cutover'))
    .description('make a verified version the live one')
    .action((name: string, { version }: VersionOptions, command: Command) =>
      onProjection(command, name, (stores) =>
        runOperation(command, stores.database, cutOverOperation(stores, version)),
      ),
    );
  changing(named('rollback'))
    .description('go back to the version that was live before')
    .action((name: string, _options: OperationOptions, command: Command) =>
      onProjection(command, name, async (stores) => {
        const version = await versionToRollBackTo(stores.database);
        return runOperation(command, stores.database, rollBackOperation(stores, version));
      }),
    );
  changing(versioned('drop'))
    .description('drop a version that is not live, with its tables')
    .action((name: string, { version }: VersionOptions, command: Command) =>
      onProjection(command, name, (stores) =>
        runOperation(command, stores.database, dropOperation(stores, version)),
      ),
    );
  return projection;
}

async function status(stores: ProjectionStores): Promise<Answer> {
  const versions = new ProjectionVersions(stores.database.manager, adoption_projection);
  const shown = await Promise.all((await versions.list()).map((one) => toListed(stores, one)));
  return {
    lines: table(
      ['VERSION', 'STATE', 'LAG', 'ROWS', 'VERIFIED', 'LIVE SINCE', 'KEPT UNTIL'],
      shown.map(({ version, state, lag, rows, verification, cutOverAt, retainedUntil }) => [
        String(version),
        state,
        lag === null ? null : String(lag),
        String(rows),
        verification === null ? null : verification.passed ? verification.at : 'differs',
        cutOverAt,
        retainedUntil,
      ]),
    ),
    json: shown,
  };
}

async function toListed({ log, clickhouse }: ProjectionStores, known: ProjectionVersion) {
  const { version, state, verification, createdAt, cutOverAt, retainedUntil } = known;
  const { group, tables } = adoptionVersion(version);
  const isRead = state !== 'building' && state !== 'dropped';
  const lags = isRead ? await log.lag(group, usageAcceptedTopic.name) : null;
  return {
    version,
    state,
    group,
    lag: lags === null ? null : lags.reduce((sum, { lag }) => sum + Number(lag), 0),
    rows: await readStoredRows(clickhouse, tables),
    createdAt: instant(createdAt),
    cutOverAt: instant(cutOverAt),
    retainedUntil: instant(retainedUntil),
    verification,
  };
}

async function verify(stores: ProjectionStores, version: number): Promise<Answer> {
  const versions = new ProjectionVersions(stores.database.manager, adoption_projection);
  const state = (await versions.find(version))?.state ?? null;
  if (state !== 'following' && state !== 'retained') {
    throw new CommandFailedError(
      'wrong_state',
      `Version ${version} is ${state ?? 'not there'}; what follows or is retained is compared.`,
    );
  }
  const verification = await verifyVersion(stores, version);
  const answer = {
    lines: verificationLines(version, verification),
    json: { version, ...verification },
  };
  if (verification.passed) return answer;
  const failure = new CommandFailedError('differs', `Version ${version} is not like the live one.`);
  return { ...answer, failure };
}
