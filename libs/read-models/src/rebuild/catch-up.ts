import { setTimeout as pause } from 'node:timers/promises';
import { usageAcceptedTopic } from '#contracts/topics.js';
import { hasReached, type GroupVector } from '#domain/projections/offset-vector.js';
import type { EventLog } from '#event-log/event-log.js';
import type { AdoptionVersion } from '../adoption-version/adoption-version.js';
import { rebuild_limits } from './rebuild-limits.js';

/** A version has not got to where another one was, for longer than anybody waits. */
export class VersionBehindError extends Error {
  constructor(version: number, other: number) {
    super(
      `Version ${version} has not caught up with version ${other}; is a projector running? ` +
        '"ops projection status" shows how far it is.',
    );
    this.name = 'VersionBehindError';
  }
}

/** How far a version is: everything below is stored. */
export function progressOf(log: EventLog, { group }: AdoptionVersion): Promise<GroupVector> {
  return log.committed(group, usageAcceptedTopic.name);
}

/**
 * Waits until a version has everything that another one has at the time of the call.
 * @throws VersionBehindError when that takes too long.
 */
export async function caughtUp(
  log: EventLog,
  version: AdoptionVersion,
  other: AdoptionVersion,
  waitMsMax: number = rebuild_limits.catch_up_ms_max,
): Promise<void> {
  const goal = await progressOf(log, other);
  const deadline = Date.now() + waitMsMax;
  while (!hasReached(await progressOf(log, version), goal)) {
    if (Date.now() >= deadline) throw new VersionBehindError(version.version, other.version);
    await pause(rebuild_limits.catch_up_poll_ms);
  }
}
