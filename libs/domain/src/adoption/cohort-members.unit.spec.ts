import { describe, expect, it } from '@jest/globals';
import { nobody } from './cohort-facts.js';
import { cohortDifference, cohortFacts, cohortOf } from './cohort-members.js';

const link = (developer: string, account: string | null) => ({ developer, account });

describe('the counts of a cohort', () => {
  it('hold developers, accounts and the two largest accounts', () => {
    const cohort = cohortOf([
      link('a', 'x'),
      link('b', 'x'),
      link('c', 'x'),
      link('d', 'y'),
      link('e', 'y'),
      link('f', 'z'),
      link('g', null),
    ]);
    expect(cohortFacts(cohort)).toEqual({
      developers: 7,
      accountDevelopers: 6,
      accounts: 3,
      topAccountDevelopers: 3,
      secondAccountDevelopers: 2,
    });
  });

  it('count a developer of two accounts once, and in both accounts', () => {
    expect(cohortFacts(cohortOf([link('a', 'x'), link('a', 'y'), link('a', 'y')]))).toEqual({
      developers: 1,
      accountDevelopers: 1,
      accounts: 2,
      topAccountDevelopers: 1,
      secondAccountDevelopers: 1,
    });
  });
});

describe('the difference of two cohorts', () => {
  const one = cohortOf([link('a', 'x'), link('b', 'y')]);

  it('is nobody when their members are the same', () => {
    expect(cohortDifference(one, cohortOf([...one.values()].reverse()))).toEqual(nobody);
  });

  it('is who is in one of them only', () => {
    const other = cohortOf([link('b', 'y'), link('c', null)]);
    expect(cohortDifference(one, other)).toMatchObject({ developers: 2, accounts: 1 });
  });

  it('holds a developer who changed accounts, with both accounts', () => {
    const other = cohortOf([link('a', 'z'), link('b', 'y')]);
    expect(cohortDifference(one, other)).toMatchObject({ developers: 1, accounts: 2 });
  });

  it('holds a developer who came back in only one of them', () => {
    const [before, after] = [false, true].map((returned) =>
      cohortOf([{ ...link('a', 'x'), returned }]),
    );
    expect(cohortDifference(before!, after!)).toMatchObject({ developers: 1, accounts: 1 });
  });
});
