import { object, type PublicationStep } from '../cell.js';
import { isLargeDifference } from './gate.js';
import { passesPrimary } from './primary.js';

/**
 * A part shows its own counts only beside own counts of the whole that it is taken from. Retention
 * is taken from other developers, yet has no row to stand in when the whole is withheld.
 */
export const followWhole: PublicationStep = {
  name: 'follow_whole',
  judge: (cell) => {
    const { wholeOutcome, candidate } = cell;
    const follows =
      wholeOutcome === 'withheld' || (wholeOutcome === 'carried' && candidate.part !== 'retention');
    if (!follows) return cell;
    return object(cell, 'follow_whole', `the part of all developers is ${wholeOutcome}`);
  },
};

/**
 * Withholds a part unless the rest, which a reader finds by subtraction, is empty or passes the
 * primary test too.
 */
export const complement: PublicationStep = {
  name: 'complement',
  judge: (cell, policy) => {
    const { part, rest } = cell.candidate;
    if (part === 'all' || part === 'retention' || rest.developers === 0) return cell;
    if (passesPrimary(rest, cell.minDevelopers, policy)) return cell;
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
