import { describe, expect, it } from '@jest/globals';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import type { EpochOutcome } from '#domain/adoption/epoch.js';
import type { AdoptionPeriod } from '#domain/adoption/period.js';
import { policyFingerprint } from '#domain/adoption/policy.js';
import { attempt, type Attack } from './attacks/attack.js';
import {
  erasure,
  one_account_arrives,
  one_account_leaves,
  policy_changes,
} from './attacks/one-change.js';
import { crowd_in_one_account, many_events, score_from_figures } from './attacks/sameness.js';
import * as single from './attacks/single-cohorts.js';
import { difference_closure, part_from_whole } from './attacks/subtraction.js';
import { flicker_below, zero_or_few } from './attacks/thresholds.js';
import { exactFigures, replacing } from './simulation/rule-sets.js';
import { full_policy, type Rules } from './world/paper-publisher.js';

const without = (step: string): Rules =>
  replacing({ [step]: step === 'rounding' ? exactFigures : null });

/** Every step, and an attack that it alone holds off. */
const guarded: Readonly<Record<string, readonly Attack[]>> = {
  hysteresis: [flicker_below],
  size: [single.few_developers, zero_or_few],
  concentration: [single.one_account],
  dominance: [single.insider],
  complement: [part_from_whole],
  retention_sides: [single.retention_of_few],
  difference_gate: [difference_closure, one_account_arrives],
  same_figures: [erasure],
  double_base: [single.nearly_dominated],
  rounding: [single.exact_count],
  carry_forward: [one_account_leaves],
  expiry: [single.stale_figure],
};

type EachRow = (row: AdoptionRow, period: AdoptionPeriod) => AdoptionRow;

const withRows = (outcome: EpochOutcome, change: EachRow): EpochOutcome => ({
  ...outcome,
  rows: new Map(
    [...outcome.rows].map(([period, rows]) => [period, rows.map((row) => change(row, period))]),
  ),
});

const cellOf = ({ series }: EpochOutcome, row: AdoptionRow, period: AdoptionPeriod) =>
  series
    .find(({ toolId }) => toolId === row.tool.id)
    ?.cells.find((cell) => cell.period === period && cell.part === 'all');

const reasoned =
  (outcome: EpochOutcome): EachRow =>
  (row, period) =>
    row.status === 'published'
      ? row
      : { ...row, caveats: [cellOf(outcome, row, period)?.decidedBy ?? 'no events'] };

const scoredExactly =
  (outcome: EpochOutcome): EachRow =>
  (row, period) =>
    row.score === null
      ? row
      : {
          ...row,
          score: { ...row.score, value: cellOf(outcome, row, period)!.exact.developers / 7 },
        };

/** Rules that are no step, each broken, and an attack that notices. */
const broken: Readonly<Record<string, readonly [Partial<Rules>, Attack]>> = {
  'events are counted in the place of developers': [
    {
      broken: {
        world: (world) => ({
          ...world,
          uses: world.uses.map((use, nth) => ({ ...use, developer: `${use.developer}-${nth}` })),
        }),
      },
    },
    many_events,
  ],
  'every developer of an account counts in the score': [
    { policy: { ...full_policy.policy, scoreDevelopersPerAccountMax: 1_000_000 } },
    crowd_in_one_account,
  ],
  'rows say why they have no figures': [
    { broken: { outcome: (outcome) => withRows(outcome, reasoned(outcome)) } },
    zero_or_few,
  ],
  'scores come from exact counts': [
    { broken: { outcome: (outcome) => withRows(outcome, scoredExactly(outcome)) } },
    score_from_figures,
  ],
  'another policy goes on where the last one stood': [
    { broken: { state: (state, policy) => ({ ...state, policy: policyFingerprint(policy) }) } },
    policy_changes,
  ],
};

describe('the policy', () => {
  it('has no step that no attack is named for', () => {
    expect(full_policy.steps.map(({ name }) => name).sort()).toEqual(Object.keys(guarded).sort());
  });

  const pairs = Object.entries(guarded).flatMap(([step, attacks]) =>
    attacks.map((attack) => [step, attack.name, attack] as const),
  );
  it.each(pairs)('without the step %s gives way to: %s', (step, _name, attack) => {
    expect(attempt(attack, without(step))).toMatch(attack.name);
  });

  it.each(Object.entries(broken))('gives way when %s', (_rule, [rules, attack]) => {
    expect(attempt(attack, { ...full_policy, ...rules })).toMatch(attack.name);
  });
});
