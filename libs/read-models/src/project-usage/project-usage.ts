import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import { usageAcceptedQuarantineTopic, usageAcceptedTopic } from '#contracts/topics.js';
import type { Clickhouse } from '#clickhouse/clickhouse.js';
import type { EventLog, LogBatch, LogRecord } from '#event-log/event-log.js';
import { Quarantine, type SetAside } from '#event-log/quarantine.js';
import type { Database } from '#postgres/database.js';
import { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { ProjectionVersions } from '#postgres/projections/projection-versions.js';
import { ProjectionProgress } from '#postgres/publication/projection-progress.js';
import { reachFaultPoint } from '#runtime/fault-points.js';
import { Gathering, type GatheringLimits } from '#runtime/gathering.js';
import type { Logger } from '#runtime/logger.js';
import {
  adoption_projection,
  adoptionVersion,
  type AdoptionVersion,
} from '../adoption-version/adoption-version.js';
import { toUsageEventRow } from '../usage-events/usage-events.projection.js';
import { decodeUsageAccepted } from './decode-usage-accepted.js';
import { UsageRowStore, type UsageRow } from './usage-row-store.js';

/** What a projection reads and writes. */
export interface ProjectionStores {
  readonly log: EventLog;
  readonly clickhouse: Clickhouse;
  readonly database: Database;
  readonly logger: Logger;
}

export interface ProjectionLimits extends GatheringLimits {
  /** Largest share of the last 1 000 records that may be set aside; above it nothing is taken. */
  readonly quarantineShareMax: number;
}

/** Rows of one delivered batch, encoded, and what becomes true when they are stored. */
interface GatheredBatch {
  readonly partition: number;
  /** One past the last record that the rows came from. */
  readonly nextOffset: bigint;
  readonly rows: readonly UsageRow[];
  /** UTC days of the rows. */
  readonly days: ReadonlySet<string>;
}

/** Turns accepted events into rows of one version of the adoption projection. */
export class UsageProjection {
  private readonly gathering: Gathering<GatheredBatch>;
  readonly quarantine: Quarantine;
  private readonly rowStore: UsageRowStore;
  private readonly progress: ProjectionProgress;

  /** `observe` is told when the oldest event of each stored batch was received. */
  constructor(
    private readonly version: AdoptionVersion,
    private readonly stores: ProjectionStores,
    limits: ProjectionLimits,
    private readonly observe: (receivedAt: string) => void = () => undefined,
  ) {
    const { log, clickhouse, database, logger } = stores;
    this.rowStore = new UsageRowStore(clickhouse, version.tables, new ErasureLedger(database));
    this.progress = new ProjectionProgress(database);
    const terms = {
      topic: usageAcceptedQuarantineTopic.name,
      stage: 'projector',
      shareMax: limits.quarantineShareMax,
    } as const;
    this.quarantine = new Quarantine(log, terms, logger);
    this.gathering = new Gathering(
      limits,
      ({ rows }) => rows.length,
      (batches) => this.store(batches),
    );
  }

  /**
   * Handles one delivered batch. The order of effects, and what survives a crash after each:
   *
   * 1. Records that cannot be read are appended to the quarantine, unless the live version has
   *    done so. Redelivery appends them again; none is ever passed over silently. Too many of them
   *    are not appended, and the batch waits.
   * 2. Rows are inserted, but for those of erased developers. Redelivery inserts them again and
   *    they collapse by key and version.
   * 3. Their days are marked dirty and the checkpoint advances, in one transaction. Before it,
   *    the days of stored rows may be unmarked: redelivery marks them. Marking earlier would let
   *    a publisher clear a day before its rows are there.
   * 4. The batch returns and the driver commits the offset. Before it, everything is done twice.
   *
   * Whatever fails throws, so the same batch comes again: an engine that is down never sends an
   * event to the quarantine.
   */
  async handle(batch: LogBatch): Promise<void> {
    const rows: UsageRow[] = [];
    let oldest: string | null = null;
    const days = new Set<string>();
    const undecodable: SetAside[] = [];
    for (const record of batch.records) {
      const decoded = decodeUsageAccepted(record.value);
      switch (decoded.kind) {
        case 'decoded':
          rows.push({
            devKey: decoded.message.devKey,
            line: toUsageEventRow(decoded.message, record),
          });
          days.add(occurredDay(decoded.message));
          oldest = earlier(oldest, decoded.message.receivedAt);
          break;
        case 'undecodable':
          undecodable.push({ record, reason: 'undecodable' });
          this.stores.logger.warn(
            { ...placeOf(record), version: this.version.version, why: decoded.why },
            'cannot read a record',
          );
          break;
      }
    }
    await this.quarantine.settle(batch.records, await this.notYetSetAside(undecodable));
    const nextOffset = batch.records.at(-1)!.offset + 1n;
    await this.gathering.add({ partition: batch.partition, nextOffset, rows, days });
    if (oldest !== null) this.observe(oldest);
  }

  /**
   * What the live version has gone past it has set aside itself: so each record is, once, however
   * many versions read it, and whichever of them becomes the live one.
   */
  private async notYetSetAside(undecodable: readonly SetAside[]): Promise<readonly SetAside[]> {
    if (undecodable.length === 0) return undecodable;
    const { database, log } = this.stores;
    const live = await new ProjectionVersions(database.manager, adoption_projection).live();
    const passed = await log.committed(adoptionVersion(live).group, usageAcceptedTopic.name);
    return undecodable.filter(
      ({ record }) => record.offset >= (passed.get(record.partition) ?? 0n),
    );
  }

  private async store(batches: readonly GatheredBatch[]): Promise<void> {
    await this.rowStore.insert(batches.flatMap(({ rows }) => rows));
    await reachFaultPoint('projector_after_insert');
    await this.progress.record({
      projection: this.version.group,
      topic: usageAcceptedTopic.name,
      nextOffsets: new Map(batches.map(({ partition, nextOffset }) => [partition, nextOffset])),
      readModel: this.version.daysModel,
      days: batches.flatMap((batch) => [...batch.days]),
    });
    await reachFaultPoint('projector_after_mark');
  }
}

function occurredDay({ occurredAt }: UsageAccepted): string {
  return occurredAt.slice(0, 10);
}

/** Times of one format and zone compare as text. */
function earlier(one: string | null, other: string): string {
  return one !== null && one < other ? one : other;
}

/** Enough to find the record again. */
function placeOf({ topic, partition, offset }: LogRecord): object {
  return { topic, partition, offset: String(offset) };
}
