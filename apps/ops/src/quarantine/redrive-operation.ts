import { appendPatiently } from '../log/append-patiently.js';
import { partsOf, type SpanPlace } from '../log/spans.js';
import type { Operation } from '../operations/operation.js';
import { filterArguments, openRecords, type QuarantineFilter } from './open-records.js';
import { originOf } from './quarantine-topics.js';
import {
  planResolution,
  planResolutionLines,
  quarantine_turn,
  type QuarantineStores,
  type ResolvePlan,
} from './resolve-operation.js';
import {
  placeOf,
  placeText,
  redrives_max,
  toRedriven,
  type SetAsideRecord,
} from './set-aside-record.js';

/** What to do at a record that is refused: end there, leave it and go on, or discard it. */
export const refusal_policies = ['stop', 'requeue', 'drop'] as const;
export type RefusalPolicy = (typeof refusal_policies)[number];

export interface RedriveResult {
  readonly redriven: number;
  readonly discarded: number;
  /** Refused and left in quarantine. */
  readonly left: number;
  /** The refused record that ended it. */
  readonly stoppedAt: string | null;
}

interface RedrivePlace extends SpanPlace {
  /** Refused and left in quarantine so far. */
  readonly left: number;
}

/** Redriven as often as may be, or without the origin that its topic implies. */
export function isRefused({ record, redrives, originTopic }: SetAsideRecord): boolean {
  return redrives >= redrives_max || originTopic !== originOf(record.topic);
}

/**
 * Sends records that were set aside back to the topic they came from.
 *
 * Order of effects, part by part: 1. the records are appended; 2. Postgres remembers that they
 * were; 3. the checkpoint moves on. A crash between 1 and 2 leaves them open: they are appended
 * once more, and their consumers collapse the copies by event id. Nothing is ever remembered as
 * redriven that is not in the log.
 */
export function redriveOperation(
  stores: QuarantineStores,
  filter: QuarantineFilter,
  onRefused: RefusalPolicy,
): Operation<ResolvePlan, RedrivePlace, RedriveResult> {
  const { log, resolutions } = stores;
  return {
    command: 'quarantine redrive',
    arguments: { ...filterArguments(filter), onRefused },
    turn: quarantine_turn,
    unit: 'records',
    plan: () => planResolution(stores, filter, isRefused),
    total: ({ records }) => records,
    planLines: (plan) => [
      ...planResolutionLines(plan, 'sent back'),
      ...(plan.refused === 0 ? [] : [refusedLine(plan.refused, onRefused)]),
    ],
    async *steps({ operationId, plan, place, stepUnitsMax }) {
      let left = place?.left ?? 0;
      const result = async (stoppedAt: string | null): Promise<RedriveResult> => {
        return { ...(await resolutions.resolvedBy(operationId)), left, stoppedAt };
      };
      const batches = openRecords(log, resolutions, plan.spans, filter, place);
      for await (const { open, after, behind } of batches) {
        for (const part of partsOf(open, stepUnitsMax)) {
          const stop = onRefused === 'stop' ? part.find(isRefused) : undefined;
          const taken = stop === undefined ? part : part.slice(0, part.indexOf(stop));
          left += await settle(stores, taken, onRefused, operationId);
          if (stop !== undefined) return result(placeText(stop.record));
          yield { units: taken.length, place: { ...behind(taken.at(-1)!.record), left } };
        }
        yield { units: 0, place: { ...after, left } };
      }
      return result(null);
    },
    resultLines: ({ redriven, discarded, left }) => [
      `${redriven} records were sent back to where they came from.`,
      ...(discarded === 0 ? [] : [`${discarded} were discarded.`]),
      ...(left === 0 ? [] : [`${left} were refused and stay in quarantine.`]),
    ],
  };
}

/** Sends back what may be, and answers how many of the others stay. */
async function settle(
  { log, resolutions }: QuarantineStores,
  records: readonly SetAsideRecord[],
  onRefused: RefusalPolicy,
  operationId: string,
): Promise<number> {
  const accepted = records.filter((record) => !isRefused(record));
  const refused = records.filter(isRefused);
  if (accepted.length > 0) {
    const origin = originOf(accepted[0]!.record.topic);
    await appendPatiently(log, origin, accepted.map(toRedriven));
  }
  await resolutions.resolve(accepted.map(placeOf), 'redriven', operationId);
  if (onRefused !== 'drop') return refused.length;
  await resolutions.resolve(refused.map(placeOf), 'discarded', operationId);
  return 0;
}

function refusedLine(refused: number, onRefused: RefusalPolicy): string {
  const what = `Refused: ${refused} (redriven ${redrives_max} times, or of no known origin)`;
  switch (onRefused) {
    case 'stop':
      return `${what}; the first one ends the run (--on-refused stop).`;
    case 'requeue':
      return `${what}; they stay in quarantine (--on-refused requeue).`;
    case 'drop':
      return `${what}; they would be discarded (--on-refused drop).`;
  }
}
