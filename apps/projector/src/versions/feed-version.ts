import { usageAcceptedTopic } from '#contracts/topics.js';
import type { AdoptionVersion } from '#read-models/adoption-version/adoption-version.js';
import {
  UsageProjection,
  type ProjectionLimits,
  type ProjectionStores,
} from '#read-models/project-usage/project-usage.js';
import { observeDelay, watchLag } from '#runtime/metrics.js';
import type { CheckResult } from '#runtime/readiness.js';

/** A version that gets every event of the log from where its group stands. */
export interface Feed {
  /** Rejects when the log is lost for good. */
  readonly done: Promise<void>;
  /** Down while it takes nothing more. */
  readiness(): Promise<CheckResult>;
  /** Lets batches that are being stored come to their end. */
  stop(): Promise<void>;
}

/** Starts to feed a version. The age of what it stores is shown for the live one alone. */
export async function feedVersion(
  version: AdoptionVersion,
  stores: ProjectionStores,
  limits: ProjectionLimits,
  isLive: () => boolean,
): Promise<Feed> {
  const { log, logger } = stores;
  const observe = (receivedAt: string): void => {
    if (isLive()) observeDelay('projected', Date.now() - Date.parse(receivedAt));
  };
  const projection = new UsageProjection(version, stores, limits, observe);
  const subscription = await log.subscribe({
    group: version.group,
    topics: [usageAcceptedTopic.name],
    handler: (batch) => projection.handle(batch),
    batchRecordsMax: limits.sizeEnough,
    onHandlerError: (error, at) =>
      logger.warn({ err: error, version: version.version, ...at }, 'a batch will be retried'),
  });
  const unwatch = watchLag(log, version.group, usageAcceptedTopic.name);
  return {
    done: subscription.done,
    readiness: () => projection.quarantine.readiness(),
    stop: async () => {
      await unwatch();
      await subscription.stop();
    },
  };
}
