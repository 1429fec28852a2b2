import { countedGroup, type PublicationStep } from '../cell.js';
import { periodDays } from '../period.js';
import { retentionBand } from '../retention-band.js';
import { roundCount } from '../rounding.js';
import { topAccountExceeds } from './tests.js';

/** Rounds twice as coarsely where one account nearly dominates. */
export const doubleBase: PublicationStep = {
  name: 'double_base',
  judge: (cell, policy) => ({
    ...cell,
    coarse: topAccountExceeds(countedGroup(cell.candidate), policy.coarseAbovePercent),
  }),
};

/** Turns counts into figures; nothing after this step sees an exact count. */
export const rounding: PublicationStep = {
  name: 'rounding',
  judge: (cell, policy) => {
    if (cell.outcome !== 'counted' || cell.figures !== null) return cell;
    const { part, cohort } = cell.candidate;
    const { coarse } = cell;
    const { developers, accounts } = countedGroup(cell.candidate);
    return {
      ...cell,
      figures: {
        developers: roundCount(developers, { coarse, atLeast: policy.minDevelopers }),
        accounts: roundCount(accounts, { coarse, atLeast: policy.minAccounts }),
        retained: part === 'retention' ? retentionBand(cohort.developers, developers) : null,
      },
    };
  },
};

/** Withholds figures that were carried for longer than their period. */
export const expiry: PublicationStep = {
  name: 'expiry',
  judge: (cell) => {
    const { shown, candidate, outcome } = cell;
    if (outcome !== 'carried' || shown === null) return cell;
    if (shown.ageDays <= periodDays(candidate.period)) return cell;
    const reason = `counted ${shown.ageDays} days ago; ${cell.objection?.reason ?? ''}`;
    return { ...cell, outcome: 'withheld', objection: { step: 'expiry', reason }, figures: null };
  },
};
