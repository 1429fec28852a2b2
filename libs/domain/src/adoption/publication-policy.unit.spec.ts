import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { EvidenceLabel } from '../evidence.js';
import type { CataloguedTool, CohortCounts, ToolCohorts } from './cohort.js';
import { publishRows, type PublicationInput } from './publication-policy.js';
import type { PublicationPolicy } from './policy.js';

const policy: PublicationPolicy = {
  pPercent: 15,
  entryDevelopersExtra: 5,
  minDifferenceDevelopers: 10,
  minDifferenceAccounts: 3,
  gateCohortsMax: 30,
  scoreDevelopersPerAccountMax: 50,
  retentionMinDevelopers: 50,
  retentionMinSide: 10,
  minDevelopers: 20,
  minAccounts: 5,
  topAccountPercentMax: 50,
  coarseAbovePercent: 35,
};

const tool = (slug: string): CataloguedTool => ({
  id: `id-${slug}`,
  slug,
  name: slug.toUpperCase(),
  categorySlug: 'agents',
});

/** Evenly spread over the accounts unless said otherwise. */
const cohort = (developers: number, accounts: number, top?: number): CohortCounts => ({
  developers,
  accountDevelopers: accounts === 0 ? 0 : developers,
  accounts,
  topAccountDevelopers: top ?? (accounts === 0 ? 0 : Math.ceil(developers / accounts)),
});

const nobody = cohort(0, 0);

const cohorts = (
  slug: string,
  all: CohortCounts,
  more: Partial<ToolCohorts> = {},
): ToolCohorts => ({
  toolId: `id-${slug}`,
  label: 'first_party',
  all,
  activated: all,
  notActivated: nobody,
  ...more,
});

const input = (entries: readonly ToolCohorts[], more: Partial<PublicationInput> = {}) => ({
  period: '30d' as const,
  tools: ['alpha', 'beta', 'gamma'].map(tool),
  cohorts: entries,
  daysCovered: 1,
  previousRanks: new Map<string, number>(),
  ...more,
});

const rowOf = (
  slug: string,
  entries: readonly ToolCohorts[],
  more: Partial<PublicationInput> = {},
) => publishRows(input(entries, more), policy).find((row) => row.tool.slug === slug)!;

describe('what is published', () => {
  it('publishes a tool from 20 developers in 5 accounts on', () => {
    expect(rowOf('alpha', [cohorts('alpha', cohort(20, 5))]).status).toBe('published');
  });

  it.each([
    ['19 developers', cohort(19, 5)],
    ['4 accounts', cohort(20, 4, 5)],
    ['no account at all', cohort(500, 0)],
    ['one account with more than half of the developers', cohort(40, 10, 21)],
    ['no events', nobody],
  ])('holds a tool back with %s', (_reason, all) => {
    expect(rowOf('alpha', [cohorts('alpha', all)]).status).toBe('insufficient_data');
  });

  it('does not let developers without an account hide a dominating one', () => {
    const all = { ...cohort(100, 5, 15), accountDevelopers: 25 };
    expect(rowOf('alpha', [cohorts('alpha', all)]).status).toBe('insufficient_data');
  });

  it('publishes half of the developers in one account, yet rounds more coarsely', () => {
    const row = rowOf('alpha', [cohorts('alpha', cohort(44, 10, 22))]);
    expect(row.metrics?.developers).toEqual({ value: 40, lower: 35, upper: 44 });
  });
});

describe('activated developers', () => {
  const all = cohort(100, 20);

  it('are published when they and the others are both large', () => {
    const parts = { activated: cohort(60, 10), notActivated: cohort(40, 10) };
    const row = rowOf('alpha', [cohorts('alpha', all, parts)]);
    expect(row.metrics?.activatedDevelopers?.value).toBe(50);
  });

  it('are published when there are no others', () => {
    expect(rowOf('alpha', [cohorts('alpha', all)]).metrics?.activatedDevelopers?.value).toBe(100);
  });

  it.each([
    ['too few', { activated: cohort(19, 6), notActivated: cohort(81, 20) }],
    ['all but a few', { activated: cohort(81, 20), notActivated: cohort(19, 6) }],
    ['mostly of one account', { activated: cohort(40, 6, 30), notActivated: cohort(60, 20) }],
  ])('are held back when they are %s, and the row stays', (_reason, parts) => {
    const row = rowOf('alpha', [cohorts('alpha', all, parts)]);
    expect(row.status).toBe('published');
    expect(row.metrics?.activatedDevelopers).toBeNull();
    expect(row.caveats.join(' ')).toContain('activatedDevelopers');
  });
});

describe('evidence', () => {
  it('is one block per label, and the row shows the leading one', () => {
    const row = rowOf('alpha', [
      cohorts('alpha', cohort(400, 40), { label: 'sample' }),
      cohorts('alpha', cohort(100, 20)),
    ]);
    expect(row.evidence.map(({ label, share }) => [label, share])).toEqual([
      ['first_party', 0.2],
      ['sample', 0.8],
    ]);
    expect(row.metrics?.developers.value).toBe(100);
    expect(row.confidence.reasons).toContain('mostly_not_first_party');
  });

  it('says so when all of it is sample data', () => {
    const row = rowOf('alpha', [cohorts('alpha', cohort(400, 40), { label: 'sample' })]);
    expect(row.evidence.map(({ label }) => label)).toEqual(['sample']);
    expect(row.caveats[0]).toMatch(/sample events/);
  });

  it('does not show a block that is not published on its own', () => {
    const row = rowOf('alpha', [
      cohorts('alpha', cohort(400, 40)),
      cohorts('alpha', cohort(19, 5), { label: 'sample' }),
    ]);
    expect(row.evidence.map(({ label }) => label)).toEqual(['first_party']);
  });
});

describe('rank, score and confidence', () => {
  it('ranks by score, then by slug, and lists tools without figures last', () => {
    const rows = publishRows(
      input([cohorts('gamma', cohort(100, 20)), cohorts('beta', cohort(101, 20))]),
      policy,
    );
    expect(rows.map(({ tool: { slug }, rank }) => [slug, rank])).toEqual([
      ['beta', 1],
      ['gamma', 2],
      ['alpha', null],
    ]);
  });

  it('tells how the rank moved since the previous epoch', () => {
    const previousRanks = new Map([['id-alpha', 3]]);
    const row = rowOf('alpha', [cohorts('alpha', cohort(100, 20))], { previousRanks });
    expect(row.trend).toEqual({ previousEpochRank: 3, change: 2 });
  });

  it('gives 100 points to figures at or above the full marks', () => {
    const row = rowOf('alpha', [cohorts('alpha', cohort(60_000, 6_000))]);
    expect(row.score).toEqual({ value: 100, version: 'adoption-score-v1' });
  });

  it('computes the weighted mean of the published figures', () => {
    const row = rowOf('alpha', [cohorts('alpha', cohort(1_000, 100))]);
    const part = (x: number, full: number) => Math.log1p(x) / Math.log1p(full);
    const mean = (3 * part(100, 5_000) + 3 * part(1_000, 50_000) + 2 * part(1_000, 20_000)) / 8;
    expect(row.score?.value).toBeCloseTo(mean * 100, 2);
  });

  it('lowers the confidence a step for each doubt, and never below low', () => {
    const large = cohorts('alpha', cohort(5_000, 500));
    expect(rowOf('alpha', [large]).confidence).toEqual({
      level: 'medium',
      label: 'Medium confidence',
      reasons: ['score_inputs_missing'],
    });
    const doubted = rowOf('alpha', [{ ...large, label: 'sample' }], { daysCovered: 0.5 });
    expect(doubted.confidence).toEqual({
      level: 'low',
      label: 'Low confidence',
      reasons: ['mostly_not_first_party', 'days_not_covered', 'score_inputs_missing'],
    });
  });
});

const anyCohort = fc
  .tuple(fc.nat(60), fc.nat(12), fc.nat(60), fc.nat(60))
  .map(([developers, accounts, known, top]): CohortCounts => {
    const accountDevelopers = accounts === 0 ? 0 : Math.max(accounts, Math.min(known, developers));
    return {
      developers: Math.max(developers, accountDevelopers),
      accountDevelopers,
      accounts,
      topAccountDevelopers: Math.min(top, accountDevelopers),
    };
  });

const slugs = ['alpha', 'beta', 'gamma', 'delta'] as const;
const labels: readonly EvidenceLabel[] = ['first_party', 'sample'];

const anyWorld = fc
  .tuple(
    ...slugs.flatMap((slug) =>
      labels.map((label) =>
        fc
          .tuple(anyCohort, anyCohort, anyCohort)
          .map(([all, activated, notActivated]) =>
            cohorts(slug, all, { label, activated, notActivated }),
          ),
      ),
    ),
  )
  .map((entries) => input(entries, { tools: slugs.map(tool) }));

describe('for every world', () => {
  it('shows no block whose exact cohort is below a threshold or dominated', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        for (const row of publishRows(world, policy)) {
          for (const { label } of row.evidence) {
            const { all } = world.cohorts.find(
              (entry) => entry.toolId === row.tool.id && entry.label === label,
            )!;
            expect(all.developers).toBeGreaterThanOrEqual(20);
            expect(all.accounts).toBeGreaterThanOrEqual(5);
            expect(all.topAccountDevelopers * 2).toBeLessThanOrEqual(all.accountDevelopers);
          }
        }
      }),
    );
  });

  it('gives unpublished tools bodies that differ in nothing but the tool', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const bodies = publishRows(world, policy)
          .filter(({ status }) => status !== 'published')
          .map((row) => JSON.stringify({ ...row, tool: null }));
        expect(new Set(bodies).size).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('derives rank, score and confidence from published numbers only', () => {
    fc.assert(
      fc.property(anyWorld, (world) => {
        const rows = publishRows(world, policy);
        const seen = new Map<string, string>();
        for (const { metrics, evidence, score, confidence } of rows) {
          const figures = JSON.stringify([metrics, evidence]);
          const derived = JSON.stringify([score, confidence]);
          expect(seen.get(figures) ?? derived).toBe(derived);
          seen.set(figures, derived);
        }
        const scores = rows.flatMap(({ score }) => (score === null ? [] : [score.value]));
        expect(scores).toEqual(scores.toSorted((a, b) => b - a));
      }),
    );
  });

  it('does not depend on the order of its input', () => {
    fc.assert(
      fc.property(anyWorld, fc.nat(), (world, seed) => {
        const turned = <T>(list: readonly T[]) => {
          const cut = seed % list.length;
          return [...list.slice(cut), ...list.slice(0, cut)].toReversed();
        };
        const shuffled = { ...world, tools: turned(world.tools), cohorts: turned(world.cohorts) };
        expect(publishRows(shuffled, policy)).toEqual(publishRows(world, policy));
      }),
    );
  });
});
