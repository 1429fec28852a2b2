import type { Database } from '#postgres/database.js';
import { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import {
  adoption_projection,
  adoptionVersion,
} from '#read-models/adoption-version/adoption-version.js';
import { removeVersion } from '#read-models/adoption-version/remove-versions.js';
import type { ProjectionStores } from '#read-models/project-usage/project-usage.js';
import {
  cutOverVersion,
  rollBackVersion,
  type SwitchOutcome,
} from '#read-models/rebuild/switch-version.js';
import { CommandFailedError } from '../command-failed.js';
import type { Operation, Step } from '../operations/operation.js';
import { verificationLines } from './verification-lines.js';

interface SwitchPlan {
  readonly from: number;
  readonly to: number;
}

type SwitchOperation = Operation<SwitchPlan, null, SwitchPlan>;

const turn = `projection ${adoption_projection}`;
const versionsOf = (database: Database) =>
  new ProjectionVersions(database.manager, adoption_projection);

/** Epochs are computed from another version, from the next one on. */
export function cutOverOperation(stores: ProjectionStores, version: number): SwitchOperation {
  return {
    command: 'projection cutover',
    arguments: { projection: adoption_projection, version },
    turn,
    allOrNothing: true,
    unit: 'versions',
    plan: async () => {
      const known = await versionsOf(stores.database).find(version);
      if (known?.state !== 'following') throw notPossible(version, known?.state ?? null);
      return { from: await versionsOf(stores.database).live(), to: version };
    },
    total: () => 1,
    planLines: ({ from, to }) => [
      `Version ${to} would be compared with version ${from} once more and become the live one.`,
      `Version ${from} would be kept, and fed, for seven days.`,
    ],
    steps: () => oneStep(() => cutOverVersion(stores, version), version),
    resultLines: ({ from, to }) => [
      `Version ${to} is live: the next epoch is computed from it. Version ${from} is kept.`,
    ],
  };
}

/** Epochs are computed again from the version that was live before. */
export function rollBackOperation(stores: ProjectionStores, version: number): SwitchOperation {
  return {
    command: 'projection rollback',
    arguments: { projection: adoption_projection, version },
    turn,
    allOrNothing: true,
    unit: 'versions',
    plan: async () => ({ from: await versionsOf(stores.database).live(), to: version }),
    total: () => 1,
    planLines: ({ from, to }) => [
      `Version ${to} would become the live one again; version ${from} would follow, unverified.`,
    ],
    steps: () => oneStep(() => rollBackVersion(stores, version), version),
    resultLines: ({ from, to }) => [
      `Version ${to} is live again: the next epoch is computed from it. Version ${from} follows.`,
    ],
  };
}

/** A version that nobody reads any more goes, with its tables. */
export function dropOperation(
  { database, clickhouse }: ProjectionStores,
  version: number,
): Operation<{ readonly version: number }, null, { readonly version: number }> {
  return {
    command: 'projection drop',
    arguments: { projection: adoption_projection, version },
    turn,
    allOrNothing: true,
    unit: 'versions',
    plan: async () => {
      const known = await versionsOf(database).find(version);
      const state = known?.state ?? null;
      if (state === null || state === 'live') throw notPossible(version, state);
      return { version };
    },
    total: () => 1,
    planLines: () => [
      `Version ${version} would be dropped, with these tables:`,
      ...Object.values(adoptionVersion(version).tables).map((table) => `  ${table}`),
    ],
    steps: () => drop({ database, clickhouse }, version),
    resultLines: () => [`Version ${version} and its tables are gone.`],
  };
}

/** The version that a rollback goes back to. */
export async function versionToRollBackTo(database: Database): Promise<number> {
  const retained = await versionsOf(database).retained();
  if (retained !== null) return retained.version;
  throw new CommandFailedError(
    'nothing_retained',
    'No version is kept that was live before; "ops projection status" shows all there are.',
  );
}

async function* oneStep(
  step: () => Promise<SwitchOutcome>,
  version: number,
): AsyncGenerator<Step<null>, SwitchPlan, void> {
  const outcome = await step();
  switch (outcome.kind) {
    case 'switched':
      yield { units: 1, place: null };
      return { from: outcome.from, to: outcome.to };
    case 'unverified':
      throw new CommandFailedError(
        'unverified',
        `Version ${version} has not been found equal to the live one; ` +
          `"ops projection verify ${adoption_projection} --version ${version}" compares them.`,
      );
    case 'differs':
      throw new CommandFailedError(
        'differs',
        verificationLines(version, outcome.verification).join('\n'),
      );
    case 'refused':
      throw notPossible(version, outcome.state);
  }
}

async function* drop(
  { database, clickhouse }: Pick<ProjectionStores, 'database' | 'clickhouse'>,
  version: number,
): AsyncGenerator<Step<null>, { readonly version: number }, void> {
  const outcome = await removeVersion(database, clickhouse, version);
  if (outcome.kind === 'busy') {
    throw new CommandFailedError('busy', 'An epoch is being published. Try again later.');
  }
  if (outcome.result.kind === 'refused') throw notPossible(version, outcome.result.state);
  yield { units: 1, place: null };
  return { version };
}

function notPossible(version: number, state: string | null): CommandFailedError {
  return state === null
    ? new CommandFailedError(
        'version_not_found',
        `There is no version ${version}; "ops projection status" shows all there are.`,
      )
    : new CommandFailedError('wrong_state', `That cannot be: version ${version} is ${state}.`);
}
