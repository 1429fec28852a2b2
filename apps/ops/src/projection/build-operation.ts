import type { OffsetVector } from '#postgres/projections/projection-version.js';
import { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import {
  adoption_projection,
  adoptionVersion,
} from '#read-models/adoption-version/adoption-version.js';
import type { ProjectionStores } from '#read-models/project-usage/project-usage.js';
import { rebuild_limits } from '#read-models/rebuild/rebuild-limits.js';
import { logExtent, VersionBuild } from '#read-models/rebuild/version-build.js';
import { CommandFailedError } from '../command-failed.js';
import type { Operation, Step, StepContext } from '../operations/operation.js';

interface BuildPlan {
  readonly version: number;
  /** Partition → where the log ended; the projector reads on from there. */
  readonly target: OffsetVector;
  readonly records: number;
}

/** How far a build is stands with the projection; the journal counts. */
interface BuildPlace {
  readonly records: number;
  readonly days: number;
}

interface BuildResult {
  readonly version: number;
  readonly records: number;
  readonly days: number;
}

/** Building a version of a projection from the log. */
export function buildOperation(
  stores: ProjectionStores,
  version: number,
  rate: number | undefined,
): Operation<BuildPlan, BuildPlace, BuildResult> {
  const versions = new ProjectionVersions(stores.database.manager, adoption_projection);
  const names = adoptionVersion(version);
  return {
    command: 'projection build',
    arguments: { projection: adoption_projection, version },
    turn: `projection ${adoption_projection}`,
    unit: 'records',
    plan: async () => {
      const known = await versions.find(version);
      if (known !== null && known.state !== 'building' && known.state !== 'dropped') {
        throw new CommandFailedError(
          'version_exists',
          `Version ${version} is ${known.state}. Take another number, or drop it first.`,
        );
      }
      return { version, ...(await logExtent(stores.log)) };
    },
    total: ({ records }) => records,
    planLines: ({ records }) => [
      `${records} records of the log would be read for version ${version}, into new tables:`,
      ...Object.values(names.tables).map((table) => `  ${table}`),
    ],
    steps: (context) => build(stores, version, stepRecords(rate), context),
    resultLines: ({ records, days }) => [
      `Version ${version} is built: ${records} records, ${days} days. The projector feeds it.`,
      `Next: ops projection verify ${adoption_projection} --version ${version}`,
    ],
  };
}

/** Inserts want to be large; a rate is kept by steps of half a second. */
function stepRecords(rate: number | undefined): number {
  const { step_records_max } = rebuild_limits;
  return rate === undefined
    ? step_records_max
    : Math.min(step_records_max, Math.max(1, Math.floor(rate / 2)));
}

async function* build(
  stores: ProjectionStores,
  version: number,
  recordsMax: number,
  { plan, place }: StepContext<BuildPlan, BuildPlace>,
): AsyncGenerator<Step<BuildPlace>, BuildResult, void> {
  let [records, days] = [place?.records ?? 0, place?.days ?? 0];
  const result = () => ({ version, records, days });
  const versions = new ProjectionVersions(stores.database.manager, adoption_projection);
  // An earlier run came to the end, but not to saying so.
  if (place !== null && (await versions.find(version))?.state === 'following') return result();
  const versionBuild = new VersionBuild(stores, adoptionVersion(version), plan.target);
  const begun = await versionBuild.begin();
  if (begun.kind === 'refused') throw refused(version, begun.state);
  if (begun.kind === 'done') {
    yield { units: -records, place: { records: 0, days: 0 } };
    [records, days] = [0, 0];
  }
  for await (const step of versionBuild.read(recordsMax)) {
    records += step;
    yield { units: step, place: { records, days } };
  }
  for await (const step of versionBuild.computeDays()) {
    days += step;
    yield { units: 0, place: { records, days } };
  }
  const finished = await versionBuild.finish();
  if (finished.kind === 'refused') throw refused(version, finished.state);
  return result();
}

function refused(version: number, state: string | null): CommandFailedError {
  return new CommandFailedError(
    'version_exists',
    `Version ${version} cannot be built: it is ${state ?? 'not there'}.`,
  );
}
