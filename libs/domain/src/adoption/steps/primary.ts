import { countedGroup, object, type PublicationStep } from '../cell.js';
import type { CohortFacts } from '../cohort-facts.js';
import { isLarge, passesDominance, topAccountExceeds } from './tests.js';

/** A part that is not shown yet needs some more developers, or it would flicker at the limit. */
export const hysteresis: PublicationStep = {
  name: 'hysteresis',
  judge: (cell, policy) =>
    cell.shown === null
      ? { ...cell, minDevelopers: cell.minDevelopers + policy.entryDevelopersExtra }
      : cell,
};

/** Withholds a cohort of too few developers or accounts. */
export const size: PublicationStep = {
  name: 'size',
  judge: (cell, policy) => {
    const { developers, accounts } = countedGroup(cell.candidate);
    if (isLarge(countedGroup(cell.candidate), cell.minDevelopers, policy)) return cell;
    const needed = `${cell.minDevelopers} and ${policy.minAccounts}`;
    return object(cell, 'size', `${developers} developers in ${accounts} accounts, of ${needed}`);
  },
};

/** Withholds a cohort most of whose developers belong to one account. */
export const concentration: PublicationStep = {
  name: 'concentration',
  judge: (cell, policy) => {
    const facts = countedGroup(cell.candidate);
    if (!topAccountExceeds(facts, policy.topAccountPercentMax)) return cell;
    const { topAccountDevelopers, accountDevelopers } = facts;
    const reason = `one account has ${topAccountDevelopers} of ${accountDevelopers} developers`;
    return object(cell, 'concentration', reason);
  },
};

/** Withholds a cohort from which its second largest account could estimate the largest one. */
export const dominance: PublicationStep = {
  name: 'dominance',
  judge: (cell, policy) => {
    const facts = countedGroup(cell.candidate);
    if (passesDominance(facts, policy)) return cell;
    return object(cell, 'dominance', `${dominanceText(facts)}, p is ${policy.pPercent} %`);
  },
};

function dominanceText(facts: CohortFacts): string {
  const { accountDevelopers, topAccountDevelopers, secondAccountDevelopers } = facts;
  return (
    `of ${accountDevelopers} developers the largest accounts have` +
    ` ${topAccountDevelopers} and ${secondAccountDevelopers}`
  );
}
