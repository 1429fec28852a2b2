import { object, type PublicationStep } from '../cell.js';
import { isLargeDifference, passesPrimary } from './tests.js';

/**
 * Withholds a part unless the rest, which a reader finds by subtraction, is empty or passes the
 * primary test too.
 */
export const complement: PublicationStep = {
  name: 'complement',
  judge: (cell, policy) => {
    const { rest, minDevelopers } = cell;
    if (rest === null || rest.developers === 0) return cell;
    if (passesPrimary(rest, minDevelopers, policy)) return cell;
    const reason = `${rest.developers} others in ${rest.accounts} accounts could be told apart`;
    return object(cell, 'complement', reason);
  },
};

/** Withholds a retention band one side of which stands for few developers or for one account. */
export const retentionSides: PublicationStep = {
  name: 'retention_sides',
  judge: (cell, policy) => {
    const { part, cohort, rest } = cell.candidate;
    if (part !== 'retention') return cell;
    const least = Math.min(cohort.developers, rest.developers);
    const areLarge = [cohort, rest].every((side) => isLargeDifference(side, policy));
    if (least >= policy.retentionMinSide && areLarge) return cell;
    const reason = `${cohort.developers} came back and ${rest.developers} did not`;
    return object(cell, 'retention_sides', reason);
  },
};
