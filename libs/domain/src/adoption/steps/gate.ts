import { object, type Comparison, type PublicationStep } from '../cell.js';
import type { PublicationPolicy } from '../policy.js';
import { isLargeDifference, passesPrimary } from './tests.js';

const gate_name = 'difference_gate';

/**
 * Equal cohorts have equal figures. It matters after an erasure: the erased developer is gone from
 * the published cohort too, so the difference is empty, and the figures must not move.
 */
export const sameFigures: PublicationStep = {
  name: 'same_figures',
  judge: (cell) => {
    if (cell.outcome !== 'counted') return cell;
    const same = cell.comparisons.findLast(({ difference }) => difference.developers === 0);
    return same === undefined ? cell : { ...cell, same: same.other, figures: same.other.figures };
  },
};

/**
 * Withholds a cohort that differs from any published one, of whatever period, by few developers or
 * by what one account dominates. So all that is published stays pairwise apart, in any order.
 */
export const differenceGate: PublicationStep = {
  name: gate_name,
  judge: (cell, policy) => {
    const close = cell.comparisons.find((comparison) => isClose(comparison, policy));
    if (close === undefined) return cell;
    const { developers, accounts } = close.difference;
    const reason =
      `${close.other.id} differs by ${developers} developers in ${accounts} accounts` +
      `, ${close.difference.topAccountDevelopers} of them in one`;
    return object(cell, gate_name, reason);
  },
};

/**
 * Shows the last figures again where a small group would make the difference: where the gate
 * objects, and where the cohort stopped to qualify because of a few developers or one account. A
 * cohort that changed by many leaves at once, and so does a part whose whole has moved too near.
 */
export const carryForward: PublicationStep = {
  name: 'carry_forward',
  judge: (cell, policy) => {
    const { shown, shownRest, objection } = cell;
    if (cell.outcome !== 'withheld' || shown === null) return cell;
    const change = cell.comparisons.find(({ other }) => other.id === shown.cohort.id);
    const changedByMany = change === undefined || isLargeDifference(change.difference, policy);
    const leaves = changedByMany && objection?.step !== gate_name;
    const isNearWhole =
      shownRest !== null &&
      shownRest.developers > 0 &&
      !passesPrimary(shownRest, policy.minDevelopers, policy);
    if (leaves || isNearWhole) return cell;
    return { ...cell, outcome: 'carried', figures: shown.cohort.figures };
  },
};

function isClose({ difference }: Comparison, policy: PublicationPolicy): boolean {
  return difference.developers > 0 && !isLargeDifference(difference, policy);
}
