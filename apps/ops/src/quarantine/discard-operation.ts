import { partsOf, type SpanPlace } from '../log/spans.js';
import type { Operation } from '../operations/operation.js';
import { filterArguments, openRecords, type QuarantineFilter } from './open-records.js';
import {
  planResolution,
  planResolutionLines,
  quarantine_turn,
  type QuarantineStores,
  type ResolvePlan,
} from './resolve-operation.js';
import { placeOf } from './set-aside-record.js';

/**
 * Gives up records for good: they are no longer listed, and no redrive finds them. The log keeps
 * them until retention removes them. Repeating a part after a crash changes nothing.
 */
export function discardOperation(
  stores: QuarantineStores,
  filter: QuarantineFilter,
): Operation<ResolvePlan, SpanPlace, { readonly discarded: number }> {
  const { log, resolutions } = stores;
  return {
    command: 'quarantine discard',
    arguments: filterArguments(filter),
    turn: quarantine_turn,
    unit: 'records',
    plan: () => planResolution(stores, filter, () => false),
    total: ({ records }) => records,
    planLines: (plan) => planResolutionLines(plan, 'discarded for good'),
    async *steps({ operationId, plan, place, stepUnitsMax }) {
      const batches = openRecords(log, resolutions, plan.spans, filter, place);
      for await (const { open, after, behind } of batches) {
        for (const part of partsOf(open, stepUnitsMax)) {
          await resolutions.resolve(part.map(placeOf), 'discarded', operationId);
          yield { units: part.length, place: behind(part.at(-1)!.record) };
        }
        yield { units: 0, place: after };
      }
      const { discarded } = await resolutions.resolvedBy(operationId);
      return { discarded };
    },
    resultLines: ({ discarded }) => [`${discarded} records were discarded.`],
  };
}
