import { describe, expect, it } from '@jest/globals';
import { nobody, type CohortFacts } from './cohort-facts.js';
import { default_policy } from './default-policy.fixture.js';
import type { CellExplanation, SeriesOutcome } from './epoch.js';
import { publishEpoch } from './publish-epoch.js';
import { candidate, cohort, epochFacts, far, series, tool } from './series.fixture.js';
import type { CohortId } from './series.js';

const shown_first = '1/30d/all';

interface Next {
  readonly all: CohortFacts;
  readonly differenceTo?: Readonly<Record<CohortId, CohortFacts>>;
  readonly day?: string;
  readonly policy?: typeof default_policy;
  readonly tools?: readonly ReturnType<typeof tool>[];
}

/** Publishes epoch after epoch, and tells what became of all developers of 30 days in each. */
function epochs(...list: readonly Next[]): { cell: CellExplanation; value: number | null }[] {
  let before: SeriesOutcome | null = null;
  return list.map(({ all, differenceTo, day, policy, tools }, index) => {
    const epoch = index + 1;
    const facts = series('alpha', [candidate('all', all)], {
      epoch,
      ...(differenceTo && { differenceTo }),
      ...(before !== null && { state: before.state }),
    });
    const outcome = publishEpoch(
      epochFacts([facts], { epoch, day: day ?? '2026-03-01', tools: tools ?? [tool('alpha')] }),
      policy ?? default_policy,
    );
    before = outcome.series[0]!;
    const row = outcome.rows.get('30d')!.find(({ tool: { slug } }) => slug === 'alpha');
    return { cell: before.cells[0]!, value: row?.metrics?.developers.value ?? null };
  });
}

const last = (...list: readonly Next[]) => epochs(...list).at(-1)!;
const first = { all: cohort(100, 20) };

describe('the next epoch', () => {
  it('counts anew when many of many accounts have changed', () => {
    const { cell, value } = last(first, { all: cohort(130, 20) });
    expect([cell.outcome, cell.cohort, value]).toEqual(['counted', '2/30d/all', 125]);
  });

  it.each([
    ['few developers', cohort(9, 9)],
    ['few accounts', cohort(40, 2)],
    ['what one account dominates', { ...cohort(40, 3, 37), secondAccountDevelopers: 2 }],
  ])('carries the figures when the difference is %s', (_case, difference) => {
    const differenceTo = { [shown_first]: difference };
    const { cell, value } = last(first, { all: cohort(130, 20), differenceTo });
    expect([cell.outcome, cell.cohort, value]).toEqual(['carried', shown_first, 100]);
    expect([cell.decidedBy, cell.reason]).toEqual([
      'difference_gate',
      expect.stringContaining(`${difference.developers} developers`),
    ]);
  });

  it('shows the same figures for the same developers, even when one of them was erased', () => {
    const differenceTo = { [shown_first]: nobody };
    const { cell, value } = last(first, { all: cohort(63, 20), differenceTo });
    expect([cell.outcome, cell.cohort, value]).toEqual(['counted', shown_first, 100]);
  });

  it('compares with what was shown long before, too', () => {
    const near = { [shown_first]: cohort(3, 3) };
    const { cell } = last(first, { all: cohort(130, 20) }, { all: first.all, differenceTo: near });
    expect([cell.outcome, cell.cohort]).toEqual(['carried', '2/30d/all']);
  });
});

describe('a cohort that falls below the least', () => {
  it('stays as it was when a few made the difference', () => {
    const differenceTo = { [shown_first]: cohort(1, 1) };
    const { cell, value } = last({ all: cohort(25, 5) }, { all: cohort(19, 5), differenceTo });
    expect([cell.outcome, cell.decidedBy, value]).toEqual(['carried', 'size', 25]);
  });

  it('leaves when many made it', () => {
    const { cell, value } = last(first, { all: cohort(19, 5) });
    expect([cell.outcome, cell.decidedBy, value]).toEqual(['withheld', 'size', null]);
  });

  it('leaves when nobody is left', () => {
    expect(last(first, { all: nobody }).cell.outcome).toBe('withheld');
  });

  it('needs k + 5 to come back, and k to stay', () => {
    const list = [25, 21, 10, 24, 25].map((developers) => ({ all: cohort(developers, 5) }));
    expect(epochs(...list).map(({ cell }) => cell.outcome)).toEqual([
      'counted',
      'counted',
      'withheld',
      'withheld',
      'counted',
    ]);
  });
});

describe('carried figures', () => {
  const carried = (day: string) => ({
    all: cohort(130, 20),
    differenceTo: { [shown_first]: cohort(1, 1) },
    day,
  });

  it('are shown for as long as their period, and not longer', () => {
    const list = epochs(first, carried('2026-03-31'), carried('2026-04-01'));
    expect(list.map(({ cell, value }) => [cell.outcome, value])).toEqual([
      ['counted', 100],
      ['carried', 100],
      ['withheld', null],
    ]);
    expect(list.at(-1)?.cell.decidedBy).toBe('expiry');
  });

  it('are not shown under another policy', () => {
    const policy = { ...default_policy, pPercent: 16 };
    const { cell, value } = last(first, { ...carried('2026-03-02'), policy });
    expect([cell.outcome, value]).toEqual(['counted', 125]);
  });
});

describe('what is handed on', () => {
  it('is forgotten beyond so many cohorts of each cell', () => {
    let state;
    for (let epoch = 1; epoch <= 40; epoch += 1) {
      const all = candidate('all', cohort(100 + epoch, 20));
      const facts = series('alpha', [all], { epoch, ...(state && { state }) });
      const outcome = publishEpoch(epochFacts([facts], { epoch }), default_policy);
      expect(outcome.series[0]!.newCohorts).toEqual([`${epoch}/30d/all`]);
      state = outcome.series[0]!.state;
    }
    expect(state?.published.map(({ id }) => id)).toEqual(
      Array.from({ length: 30 }, (_, index) => `${index + 11}/30d/all`),
    );
  });

  it('is kept of a tool that leaves the directory, though nothing of it is shown', () => {
    const near = { all: cohort(130, 20), differenceTo: { [shown_first]: cohort(1, 1) } };
    const [, gone, back] = epochs(first, { all: first.all, tools: [tool('beta')] }, near);
    expect([gone?.value, back?.value]).toEqual([null, null]);
    expect(back?.cell.decidedBy).toBe('difference_gate');
  });

  it('has to come with every difference that could matter', () => {
    const facts = { ...series('alpha', [candidate('all', far)]) };
    const two = [candidate('all', far), candidate('activated', cohort(80, 20), { rest: far })];
    const incomplete = { ...facts, candidates: two };
    expect(() => publishEpoch(epochFacts([incomplete]), default_policy)).toThrow('not counted');
  });
});
