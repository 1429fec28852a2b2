import { describe, expect, it } from '@jest/globals';
import { attempt, type Attack } from './attacks/attack.js';
import { erasure, one_account_arrives, one_account_leaves } from './attacks/one-change.js';
import { crowd_in_one_account } from './attacks/sameness.js';
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

  it('without its limit on developers of an account gives way to: a crowd in one account', () => {
    const policy = { ...full_policy.policy, scoreDevelopersPerAccountMax: 1_000_000 };
    expect(attempt(crowd_in_one_account, { ...full_policy, policy })).toMatch(/crowd/);
  });
});
