import {
  usageAcceptedTopic,
  usageReceivedQuarantineTopic,
  usageReceivedTopic,
} from '#contracts/topics.js';
import type { EventLog } from '#event-log/event-log.js';
import type { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { table } from '../answer.js';
import type { Operation, Step, StepContext } from '../operations/operation.js';
import { captureTopic, type CapturedTopic } from '../verification/captured-topic.js';
import type { Portion } from '../verification/portions.js';
import { scan, type Scan } from '../verification/scan.js';
import { SetAsideRecords } from '../verification/set-aside.js';
import { walkLog, type StartProgress } from '../verification/verification.js';
import { compareClaims, restoreClaims, type Restored } from './claim-restorer.js';
import { PortionClaims, type ProvenPortion } from './portion-claims.js';

/** Claims compared by one statement of a plan. */
const compared_max = 1_000;
const conflicts_listed_max = 100;

export interface RebuildCounts {
  readonly present: number;
  /** Claims that were made; in a plan, that would be. */
  readonly missing: number;
  readonly conflicts: number;
  /** The first ids whose claim in the ledger has another content. */
  readonly conflictIds: readonly string[];
}

/** Everything that a later run needs to go on as this one would have. */
export interface RebuildPlan extends RebuildCounts {
  readonly records: number;
  /** Claims that the log proves. */
  readonly events: number;
  readonly unreadable: number;
  /** Ids of two contents between which nothing decides but their order. */
  readonly ambiguous: number;
  /** Watermarks of the received events: partition, low, high. */
  readonly received: readonly (readonly [number, string, string])[];
  readonly capturedAt: number;
  readonly portions: readonly Portion[];
  readonly scattered: boolean;
}

/** How far the claims are made: all portions before `portion`, and of it all ids up to `after`. */
export interface RebuildPlace extends RebuildCounts {
  readonly portion: number;
  readonly after: string | null;
}

const no_counts: RebuildCounts = { present: 0, missing: 0, conflicts: 0, conflictIds: [] };
const beginning: RebuildPlace = { portion: 0, after: null, ...no_counts };

/**
 * Makes the idempotency index anew from the log, for when Postgres lost its claims or was restored
 * from an older backup. What the log proves is decided by `provenClaim`; what the ledger holds is
 * never overwritten. Order of effects: claims of a step are committed, then the step is written
 * down; a crash between the two offers them again, and they are there already.
 */
export class RebuildClaims implements Operation<RebuildPlan, RebuildPlace, RebuildCounts> {
  readonly command = 'claims rebuild';
  readonly arguments = {};
  readonly unit = 'claims';

  constructor(
    private readonly log: EventLog,
    private readonly ledger: ClaimLedger,
    private readonly startProgress: StartProgress,
  ) {}

  async plan(): Promise<RebuildPlan> {
    const received = await captureTopic(this.log, usageReceivedTopic);
    const accepted = await captureTopic(this.log, usageAcceptedTopic);
    const beside = [await captureTopic(this.log, usageReceivedQuarantineTopic)];
    const topics = { keyed: [received, accepted], beside };
    return walkLog(this.log, topics, this.startProgress, async (walk) => {
      let counts = no_counts;
      const sums = { records: 0, events: 0, unreadable: 0, ambiguous: 0 };
      for (const portion of walk.portions) {
        const { proven, ...read } = await this.prove(walk.scanOf(received, portion));
        sums.records += read.records;
        sums.unreadable += read.unreadable;
        sums.events += proven.length;
        sums.ambiguous += proven.filter(({ ambiguous }) => ambiguous).length;
        for (let start = 0; start < proven.length; start += compared_max) {
          const claims = proven.slice(start, start + compared_max).map(({ claim }) => claim);
          counts = sumOf(counts, await compareClaims(this.ledger, claims));
        }
      }
      const { portions, scattered } = walk;
      return { ...sums, ...counts, ...watermarksOf(received), portions, scattered };
    });
  }

  total({ events }: RebuildPlan): number {
    return events;
  }

  planLines(plan: RebuildPlan): readonly string[] {
    return [
      `${plan.records} received records of ${plan.events} events are in the log.`,
      ...table(
        ['CLAIMS', 'COUNT'],
        [
          ['there already', String(plan.present)],
          ['missing, would be made', String(plan.missing)],
          ['of other content, would stay as they are', String(plan.conflicts)],
        ],
      ),
      `${plan.unreadable} records cannot be read; ${plan.ambiguous} events have two contents ` +
        'between which nothing decides: the earlier holds.',
      'Until its claim is made, an event that is sent again counts as a new one.',
    ];
  }

  async *steps(
    context: StepContext<RebuildPlan, RebuildPlace>,
  ): AsyncGenerator<Step<RebuildPlace>, RebuildCounts, void> {
    const { plan, stepUnitsMax } = context;
    const { log } = this;
    const { portions, scattered } = plan;
    const topic = capturedBefore(plan);
    const { portion: begun, after, ...earlier } = context.place ?? beginning;
    let counts: RebuildCounts = earlier;
    // A name speaks for the claims of its group, and those may be what was lost.
    await this.ledger.forgetGroupsBefore(Date.now());
    for (const [index, portion] of portions.entries()) {
      if (index < begun) continue;
      const { proven } = await this.prove({ log, topic, portion, scattered });
      const done = index === begun ? after : null;
      const claims = proven
        .map(({ claim }) => claim)
        .filter(({ eventId }) => done === null || eventId > done);
      for (let start = 0; start < claims.length; start += stepUnitsMax) {
        const offered = claims.slice(start, start + stepUnitsMax);
        counts = sumOf(counts, await restoreClaims(this.ledger, offered));
        const place = { portion: index, after: offered.at(-1)!.eventId, ...counts };
        yield { units: offered.length, place };
      }
    }
    return counts;
  }

  resultLines({ present, missing, conflicts, conflictIds }: RebuildCounts): readonly string[] {
    const made = `${missing} claims were made, ${present} were there already.`;
    if (conflicts === 0) return [made];
    return [
      made,
      `${conflicts} claims have another content than the log proves and were left as they are: ` +
        'their events were sent again, changed, while the claims were missing.',
      ...conflictIds.map((eventId) => `  ${eventId}`),
    ];
  }

  /**
   * What the log proves about a portion. The newest marks and accepted copies are read, whenever
   * the records were: the more is judged, the less is left to the order of the records.
   */
  private async prove(records: Scan): Promise<ProvenPortion> {
    const claims = new PortionClaims();
    const setAside = new SetAsideRecords(records.topic.name);
    const quarantine = await captureTopic(this.log, usageReceivedQuarantineTopic);
    await setAside.read({ ...records, topic: quarantine });
    const accepted = await captureTopic(this.log, usageAcceptedTopic);
    await scan({ ...records, topic: accepted }, (record) => claims.takeAccepted(record));
    await scan(records, (record) => claims.takeReceived(record, setAside));
    return claims.prove();
  }
}

function watermarksOf({ ranges, at }: CapturedTopic) {
  return {
    received: ranges.map(
      ({ partition, low, high }) => [partition, String(low), String(high)] as const,
    ),
    capturedAt: at,
  };
}

function capturedBefore({ received, capturedAt }: RebuildPlan): CapturedTopic {
  const { name, retentionMs } = usageReceivedTopic;
  const ranges = received.map(([partition, low, high]) => ({
    partition,
    low: BigInt(low),
    high: BigInt(high),
  }));
  return { name, retentionMs, at: capturedAt, ranges };
}

function sumOf(counts: RebuildCounts, restored: Restored): RebuildCounts {
  return {
    present: counts.present + restored.present,
    missing: counts.missing + restored.missing,
    conflicts: counts.conflicts + restored.conflicts.length,
    conflictIds: [...counts.conflictIds, ...restored.conflicts].slice(0, conflicts_listed_max),
  };
}
