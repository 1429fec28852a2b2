import { usageAcceptedTopic } from '#contracts/topics.js';
import { fromOffsetTexts, type GroupVector } from '#domain/projections/offset-vector.js';
import type { OffsetVector } from '#postgres/projections/projection-version.js';
import { ProjectionVersions, type StepOutcome } from '#postgres/projections/projection-versions.js';
import { ProjectionProgress } from '#postgres/publication/projection-progress.js';
import { reachFaultPoint } from '#runtime/fault-points.js';
import { app_version } from '#runtime/version.js';
import { adoption_projection, type AdoptionVersion } from '../adoption-version/adoption-version.js';
import {
  createAdoptionTables,
  dropAdoptionTables,
  storedAdoptionVersions,
} from '../adoption-version/stored-versions.js';
import { UsageProjection, type ProjectionStores } from '../project-usage/project-usage.js';
import { computeStaleDays, inTurn } from './stale-days.js';

const topic = usageAcceptedTopic.name;

/**
 * Builds a version beside the live one, from the beginning of the log to where it ended when the
 * build was begun. The order of effects, and what survives a crash after each:
 *
 * 1. Tables are created, and the version is noted as being built. What an earlier build left that
 *    cannot be continued is dropped before.
 * 2. The log is read partition by partition with the code of the projector: rows first, then stale
 *    days and checkpoint. What was inserted beyond the checkpoint is inserted again and collapses.
 * 3. Stale days are computed, some at a time; those that were are stale no more.
 * 4. The group of the version is set to the end of the build, and the version follows.
 *
 * An erasure meanwhile deletes from its tables, too, and nothing of the erased is inserted.
 */
export class VersionBuild {
  private readonly versions: ProjectionVersions;
  private readonly target: GroupVector;

  constructor(
    private readonly stores: ProjectionStores,
    private readonly version: AdoptionVersion,
    private readonly targetTexts: OffsetVector,
  ) {
    this.versions = new ProjectionVersions(stores.database.manager, adoption_projection);
    this.target = fromOffsetTexts(targetTexts);
  }

  /** Makes ready to read; `continued` when an earlier build is gone on with. */
  async begin(): Promise<StepOutcome | { readonly kind: 'continued' }> {
    if (await this.canContinue()) return { kind: 'continued' };
    const { version, tables, group, daysModel } = this.version;
    return inTurn(this.stores.database, async (manager) => {
      const versions = new ProjectionVersions(manager, adoption_projection);
      const known = await versions.find(version);
      // Looked at before anything is dropped: the tables may be in use.
      if (known !== null && known.state !== 'building' && known.state !== 'dropped') {
        return { kind: 'refused', state: known.state };
      }
      await dropAdoptionTables(this.stores.clickhouse, tables);
      await createAdoptionTables(this.stores.clickhouse, tables);
      const target = this.targetTexts;
      return versions.begin({ version, appVersion: app_version, target, group, daysModel });
    });
  }

  /** Reads on from the checkpoints to the target; yields how many records each step took. */
  async *read(recordsMax: number): AsyncGenerator<number, void, void> {
    // A batch is a step: nothing else arrives that it could wait for.
    const limits = { sizeMax: 1, sizeEnough: 1, waitMs: 0, quarantineShareMax: 1 };
    const projection = new UsageProjection(this.version, this.stores, limits);
    const checkpoints = await this.checkpoints();
    for (const { partition, low } of await this.stores.log.ranges(topic)) {
      const to = this.target.get(partition) ?? 0n;
      const from = checkpoints.get(partition) ?? low;
      if (from >= to) continue;
      const batches = this.stores.log.read(topic, {
        partitions: [partition],
        from: { at: 'offsets', offsets: new Map([[partition, from]]) },
        to: { at: 'offsets', offsets: new Map([[partition, to]]) },
        batchRecordsMax: recordsMax,
      });
      for await (const batch of batches) {
        await projection.handle(batch);
        await reachFaultPoint('rebuild_after_step');
        yield batch.records.length;
      }
    }
  }

  /** Computes what is derived of the days; yields how many days each step took. */
  computeDays(): AsyncGenerator<number, void, void> {
    return computeStaleDays(this.stores, this.version);
  }

  /** Hands the version to the projector, which reads on where the build ended. */
  async finish(): Promise<StepOutcome> {
    const { log } = this.stores;
    await log.resetGroup(this.version.group, topic, { at: 'offsets', offsets: this.target });
    await reachFaultPoint('rebuild_after_reset');
    return this.versions.follow(this.version.version);
  }

  private checkpoints(): Promise<GroupVector> {
    return new ProjectionProgress(this.stores.database).checkpoints(this.version.group, topic);
  }

  /** Tables of other code are not gone on with, nor what the log holds no more of. */
  private async canContinue(): Promise<boolean> {
    const { version } = this.version;
    const known = await this.versions.find(version);
    if (known?.state !== 'building' || known.appVersion !== app_version) return false;
    const stored = await storedAdoptionVersions(this.stores.clickhouse);
    if (!stored.some((one) => one.version === version)) return false;
    const checkpoints = await this.checkpoints();
    const ranges = await this.stores.log.ranges(topic);
    return ranges.every(({ partition, low }) => (checkpoints.get(partition) ?? low) >= low);
  }
}

/** Where the log of a projection ends now, and how many records it holds. */
export async function logExtent(
  log: ProjectionStores['log'],
): Promise<{ readonly target: OffsetVector; readonly records: number }> {
  const ranges = await log.ranges(topic);
  return {
    target: Object.fromEntries(ranges.map(({ partition, high }) => [partition, String(high)])),
    records: ranges.reduce((sum, { low, high }) => sum + Number(high - low), 0),
  };
}
