import { describe, expect, it } from '@jest/globals';
import { nobody, type CohortFacts } from './cohort-facts.js';
import { default_policy } from './default-policy.fixture.js';
import type { EpochFacts } from './epoch.js';
import { publishEpoch } from './publish-epoch.js';
import { candidate, cohort, epochFacts, series } from './series.fixture.js';
import type { SeriesFacts } from './series.js';

const rowsOf = (list: readonly SeriesFacts[], more: Partial<EpochFacts> = {}) =>
  publishEpoch(epochFacts(list, more), default_policy).rows.get('30d')!;

const rowOf = (list: readonly SeriesFacts[], more: Partial<EpochFacts> = {}) =>
  rowsOf(list, more).find((row) => row.tool.slug === 'alpha')!;

const alpha = (all: CohortFacts, more: Partial<SeriesFacts> = {}) =>
  series('alpha', [candidate('all', all)], more);

describe('what is published', () => {
  it('publishes a tool from k + 5 developers in 5 accounts on', () => {
    expect(rowOf([alpha(cohort(25, 5))]).status).toBe('published');
  });

  it.each([
    ['k + 4 developers', cohort(24, 5)],
    ['4 accounts', cohort(40, 4)],
    ['no account at all', cohort(500, 0)],
    ['one account with more than half of the developers', cohort(40, 10, 21)],
    [
      'two accounts that hold nearly all of them',
      { ...cohort(50, 5, 24), secondAccountDevelopers: 23 },
    ],
    ['no events', nobody],
  ])('holds a tool back with %s', (_reason, all) => {
    expect(rowOf([alpha(all)]).status).toBe('insufficient_data');
  });

  it('does not let developers without an account hide a dominating one', () => {
    expect(rowOf([alpha({ ...cohort(100, 5, 15), accountDevelopers: 25 })]).status).toBe(
      'insufficient_data',
    );
  });

  it('publishes half of the developers in one account, yet rounds more coarsely', () => {
    const row = rowOf([alpha(cohort(44, 10, 22))]);
    expect(row.metrics?.developers).toEqual({ value: 40, lower: 35, upper: 44 });
  });

  it('has one row for every tool that is not published, whatever the reason', () => {
    const bodies = [nobody, cohort(24, 5), cohort(40, 10, 39), cohort(500, 0)].map((all) =>
      JSON.stringify(rowOf([alpha(all)])),
    );
    expect(new Set(bodies)).toEqual(new Set([JSON.stringify(rowOf([]))]));
  });
});

describe('the parts of a row', () => {
  const all = cohort(100, 20);
  const part = (name: 'activated' | 'expanding', facts: CohortFacts, rest: CohortFacts) =>
    series('alpha', [candidate('all', all), candidate(name, facts, { whole: all, rest })]);

  it('are published when they and the others are both large', () => {
    const activated = part('activated', cohort(60, 10), cohort(40, 10));
    expect(rowOf([activated]).metrics?.activatedDevelopers?.value).toBe(50);
    const expanding = part('expanding', cohort(60, 10), cohort(40, 10));
    expect(rowOf([expanding]).metrics?.expansionAccounts?.value).toBe(10);
  });

  it('are published when there are no others', () => {
    const row = rowOf([part('activated', all, nobody)]);
    expect(row.metrics?.activatedDevelopers?.value).toBe(100);
  });

  it.each([
    ['too few', cohort(19, 6), cohort(81, 20)],
    ['all but a few', cohort(81, 20), cohort(19, 6)],
    ['mostly of one account', cohort(40, 6, 30), cohort(60, 20)],
  ])('are held back when they are %s, and the row stays', (_reason, facts, rest) => {
    const row = rowOf([part('activated', facts, rest)]);
    expect(row.status).toBe('published');
    expect(row.metrics?.activatedDevelopers).toBeNull();
    expect(row.caveats.join(' ')).toContain('activatedDevelopers');
  });

  it('hold a band of retention when enough came back, and enough did not', () => {
    const retention = (cohortFacts: CohortFacts, rest: CohortFacts) => {
      const whole = cohort(cohortFacts.developers + rest.developers, 20);
      const parts = { whole, cohort: cohortFacts, rest };
      return rowOf([series('alpha', [candidate('all', all), candidate('retention', whole, parts)])])
        .metrics?.retentionD7;
    };
    expect(retention(cohort(33, 8), cohort(27, 8))).toEqual({ band: { lower: 55, upper: 60 } });
    expect(retention(cohort(51, 8), cohort(9, 8))).toBeNull();
    expect(retention(cohort(24, 8), cohort(24, 8))).toBeNull();
    expect(retention(cohort(48, 8), cohort(12, 3, 12))).toBeNull();
  });
});

describe('evidence', () => {
  const sample = { label: 'sample' as const };

  it('is one block per label, and the row shows the leading one', () => {
    const row = rowOf([alpha(cohort(400, 40), sample), alpha(cohort(100, 20))]);
    expect(row.evidence.map(({ label, share }) => [label, share])).toEqual([
      ['first_party', 0.2],
      ['sample', 0.8],
    ]);
    expect(row.metrics?.developers.value).toBe(100);
    expect(row.confidence.reasons).toContain('mostly_not_first_party');
  });

  it('says so when all of it is sample data', () => {
    const row = rowOf([alpha(cohort(400, 40), sample)]);
    expect(row.evidence.map(({ label }) => label)).toEqual(['sample']);
    expect(row.caveats[0]).toMatch(/sample events/);
  });

  it('does not show a block that is not published on its own', () => {
    const row = rowOf([alpha(cohort(400, 40)), alpha(cohort(24, 5), sample)]);
    expect(row.evidence.map(({ label }) => label)).toEqual(['first_party']);
  });
});

describe('rank and confidence', () => {
  it('order by score, then by slug, and list tools without figures last', () => {
    const rows = rowsOf([
      series('gamma', [candidate('all', cohort(100, 20))]),
      series('beta', [candidate('all', cohort(101, 20))]),
    ]);
    expect(rows.map(({ tool: { slug }, rank }) => [slug, rank])).toEqual([
      ['beta', 1],
      ['gamma', 2],
      ['alpha', null],
    ]);
  });

  it('tell how the rank moved since the previous epoch', () => {
    const previousRanks = new Map([['30d' as const, new Map([['id-alpha', 3]])]]);
    const row = rowOf([alpha(cohort(100, 20))], { previousRanks });
    expect(row.trend).toEqual({ previousEpochRank: 3, change: 2 });
  });

  const complete = cohort(5_000, 500);
  const large = series('alpha', [
    candidate('all', complete),
    candidate('activated', complete),
    candidate('expanding', complete),
    candidate('retention', complete, { cohort: cohort(3_000, 300), rest: cohort(2_000, 200) }),
  ]);

  it('are high when nothing speaks against it', () => {
    expect(rowOf([large]).confidence).toEqual({
      level: 'high',
      label: 'High confidence',
      reasons: [],
    });
  });

  it.each([
    ['events were lost', { incident: true }, 'pipeline_incident'],
    ['days are missing', { daysCovered: { '7d': 1, '30d': 0.7, '90d': 1 } }, 'days_not_covered'],
  ])('fall by one step when %s', (_case, more, reason) => {
    expect(rowOf([large], more).confidence).toMatchObject({ level: 'medium', reasons: [reason] });
  });

  it('never fall below low', () => {
    const doubted = alpha(complete, { label: 'sample' });
    expect(rowOf([doubted], { incident: true }).confidence).toEqual({
      level: 'low',
      label: 'Low confidence',
      reasons: ['mostly_not_first_party', 'pipeline_incident', 'score_inputs_missing'],
    });
  });
});
