import { setTimeout as pause } from 'node:timers/promises';
import { toOffsetTexts } from '#domain/projections/offset-vector.js';
import type { VersionVerification } from '#postgres/projections/projection-version.js';
import { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import { readDirtyDays } from '#postgres/publication/dirty-days.js';
import { adoption_projection, adoptionVersion } from '../adoption-version/adoption-version.js';
import type { ProjectionStores } from '../project-usage/project-usage.js';
import { kept_days } from '../column-types.js';
import { caughtUp, progressOf } from './catch-up.js';
import {
  compareDerivedDays,
  compareEvents,
  readComparedDays,
  readDaysInMotion,
  sumOf,
  type ComparedVersions,
  type DayDifferences,
} from './compare-days.js';
import { rebuild_limits } from './rebuild-limits.js';
import { computeStaleDays, inTurn } from './stale-days.js';

const day_ms = 86_400_000;

export interface VerificationProgress {
  readonly days: number;
  readonly of: number;
}

interface TurnFindings extends DayDifferences {
  readonly daysInMotion: number;
}

/**
 * Compares a version that is fed with the live one, row by row, while both are being fed. How far
 * the groups are is looked at first: a row that only one version has is no difference when the
 * other's group had not got to it by then. The result is remembered with the version.
 *
 * Derived days are compared where all of a day was finished by both groups and nothing of it is to
 * be computed again. Epochs and erasures wait while some days are compared, and get their turn
 * before the next ones.
 *
 * @throws VersionBehindError when the version does not get to where the live one is.
 */
export async function verifyVersion(
  stores: ProjectionStores,
  version: number,
  report: (progress: VerificationProgress) => void = () => undefined,
): Promise<VersionVerification> {
  const { log, database, clickhouse } = stores;
  const versions = new ProjectionVersions(database.manager, adoption_projection);
  const live = adoptionVersion(await versions.live());
  const other = adoptionVersion(version);
  await caughtUp(log, other, live);
  const compared: ComparedVersions = {
    live,
    other,
    liveNext: await progressOf(log, live),
    otherNext: await progressOf(log, other),
  };
  for await (const days of computeStaleDays(stores, other)) report({ days, of: days });
  const oldest = new Date(Date.now() - (kept_days - 1) * day_ms).toISOString().slice(0, 10);
  const days = await readComparedDays(clickhouse, compared, oldest);
  const found: TurnFindings[] = [];
  for (let start = 0; start < days.length; start += rebuild_limits.turn_days_max) {
    if (start > 0) await pause(rebuild_limits.turn_pause_ms);
    const turn = days.slice(start, start + rebuild_limits.turn_days_max).map(({ day }) => day);
    found.push(await compareTurn(stores, compared, turn));
    report({ days: start + turn.length, of: days.length });
  }
  const { pending, differences, keys } = sumOf(found);
  const verification: VersionVerification = {
    passed: differences === 0,
    at: new Date().toISOString(),
    liveVersion: live.version,
    live: toOffsetTexts(compared.liveNext),
    candidate: toOffsetTexts(compared.otherNext),
    days: days.length,
    events: days.reduce((sum, { events }) => sum + events, 0),
    pending,
    daysInMotion: found.reduce((sum, { daysInMotion }) => sum + daysInMotion, 0),
    differences,
    keys,
  };
  await versions.storeVerification(version, verification);
  return verification;
}

function compareTurn(
  { database, clickhouse }: ProjectionStores,
  compared: ComparedVersions,
  days: readonly string[],
): Promise<TurnFindings> {
  return inTurn(database, async (manager) => {
    const events = await compareEvents(clickhouse, compared, days);
    // Marked while the turn is held, a day is compared as it was before: what is derived of it
    // does not change now.
    const moving = new Set(await readDaysInMotion(clickhouse, compared, days));
    for (const { daysModel } of [compared.live, compared.other]) {
      for (const { day } of await readDirtyDays(manager, daysModel)) moving.add(day);
    }
    const still = days.filter((day) => !moving.has(day));
    const derived =
      still.length === 0 ? [] : [await compareDerivedDays(clickhouse, compared, still)];
    return { ...sumOf([events, ...derived]), daysInMotion: days.length - still.length };
  });
}
