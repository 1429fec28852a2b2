import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { Database } from '#postgres/database.js';
import { ProjectionVersions, type StepOutcome } from '#postgres/projections/projection-versions.js';
import { asOnlyPublisher, type Locked } from '#postgres/publication/publication-lock.js';
import { adoption_projection, adoptionVersion } from './adoption-version.js';
import { dropAdoptionTables } from './stored-versions.js';

/**
 * Drops a version and what belongs to it. Holds the publication lock, so that no erasure is under
 * way in its tables. The order of effects, and what survives a crash after each:
 *
 * 1. The version is dropped in Postgres: projectors stop feeding it, within a second. Until then
 *    their inserts may fail, and are repeated in vain.
 * 2. Its tables are dropped; a projector drops those that are left.
 * 3. Its checkpoints and stale days are forgotten, and it counts as gone.
 */
export async function removeVersion(
  database: Database,
  clickhouse: Clickhouse,
  version: number,
): Promise<Locked<StepOutcome>> {
  return asOnlyPublisher(database, async (manager): Promise<StepOutcome> => {
    const versions = new ProjectionVersions(manager, adoption_projection);
    const known = await versions.find(version);
    if (known?.state !== 'dropped') {
      const outcome = await versions.drop(version);
      if (outcome.kind === 'refused') return outcome;
    }
    const names = adoptionVersion(version);
    await dropAdoptionTables(clickhouse, names.tables);
    await versions.removed(names);
    return { kind: 'done' };
  });
}

/** Removes every version whose time is over; answers with the numbers of those that are gone. */
export async function removeEndedVersions(
  database: Database,
  clickhouse: Clickhouse,
): Promise<readonly number[]> {
  const ended = await new ProjectionVersions(database.manager, adoption_projection).toRemove();
  const gone: number[] = [];
  for (const version of ended) {
    const { kind } = await removeVersion(database, clickhouse, version);
    if (kind === 'done') gone.push(version);
  }
  return gone;
}
