import type { VersionState } from '#domain/projections/version-state.js';
import type { VersionVerification } from '#postgres/projections/projection-version.js';
import { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import { adoption_projection, adoptionVersion } from '../adoption-version/adoption-version.js';
import type { ProjectionStores } from '../project-usage/project-usage.js';
import { caughtUp } from './catch-up.js';
import { rebuild_limits } from './rebuild-limits.js';
import { inTurn } from './stale-days.js';
import { verifyVersion } from './verify-version.js';

/**
 * `switched`: `to` is the live version, `from` was. `unverified`: no comparison with the version
 * that is live has passed. `differs`: the one that was made now has not.
 */
export type SwitchOutcome =
  | { readonly kind: 'switched'; readonly from: number; readonly to: number }
  | { readonly kind: 'unverified' }
  | { readonly kind: 'differs'; readonly verification: VersionVerification }
  | { readonly kind: 'refused'; readonly state: VersionState | null };

/**
 * Makes a version the live one: after a comparison that passed, and another one now. The switch is
 * one transaction while no epoch is published, so every epoch is computed from one version; and it
 * waits until the new one has all that the old one has, so no epoch goes back behind the last.
 * Readers see epochs alone.
 */
export async function cutOverVersion(
  stores: ProjectionStores,
  version: number,
): Promise<SwitchOutcome> {
  const versions = new ProjectionVersions(stores.database.manager, adoption_projection);
  const known = await versions.find(version);
  if (known?.state !== 'following') return { kind: 'refused', state: known?.state ?? null };
  const earlier = known.verification;
  if (earlier?.passed !== true || earlier.liveVersion !== (await versions.live())) {
    return { kind: 'unverified' };
  }
  const verification = await verifyVersion(stores, version);
  if (!verification.passed) return { kind: 'differs', verification };
  return switchTo(stores, version, verification.liveVersion, (own) =>
    own.cutOver(version, rebuild_limits.retained_ms),
  );
}

/** Goes back to the version that was live last; it was fed all along. The one that is follows. */
export async function rollBackVersion(
  stores: ProjectionStores,
  version: number,
): Promise<SwitchOutcome> {
  const versions = new ProjectionVersions(stores.database.manager, adoption_projection);
  const known = await versions.find(version);
  if (known?.state !== 'retained') return { kind: 'refused', state: known?.state ?? null };
  return switchTo(stores, version, await versions.live(), (own) => own.rollBack(version));
}

async function switchTo(
  { log, database }: ProjectionStores,
  to: number,
  from: number,
  exchange: (versions: ProjectionVersions) => ReturnType<ProjectionVersions['rollBack']>,
): Promise<SwitchOutcome> {
  return inTurn(database, async (manager) => {
    const versions = new ProjectionVersions(manager, adoption_projection);
    // Another command may have switched since.
    if ((await versions.live()) !== from) return { kind: 'unverified' };
    await caughtUp(log, adoptionVersion(to), adoptionVersion(from));
    const outcome = await exchange(versions);
    return outcome.kind === 'refused' ? outcome : { kind: 'switched', from, to };
  });
}
