import fc from 'fast-check';
import type { Attack } from '../attacks/attack.js';
import { erasure, one_account_leaves, one_developer_leaves } from '../attacks/one-change.js';
import { difference_closure } from '../attacks/subtraction.js';
import { full_policy, type Rules } from '../world/paper-publisher.js';
import * as rules from './rule-sets.js';
import { header, row } from './table.js';

/** A world of 60 epochs costs as much as many of two. */
const long_worlds_share = 0.5;

/** In how many of so many worlds an attack succeeds. */
function successes(attack: Attack, policy: Rules, seed: number, worlds: number): string {
  let found = 0;
  for (let index = 0; index < worlds; index += 1) {
    const { failed } = fc.check(attack.property(policy) as fc.IProperty<[unknown]>, {
      seed: seed + index,
      numRuns: 1,
    });
    if (failed) found += 1;
  }
  return `${found} of ${worlds}`;
}

/** Rules that were tried first, and what becomes of an attack on them. */
export function compareRules(seed: number, worlds: number): void {
  header(['rule', 'attack', 'succeeds', 'under the full policy']);
  const attacked: readonly (readonly [string, Rules, Attack])[] = [
    ['the gate compares within one cell', rules.gate_of_one_cell, difference_closure],
    ['who falls below the least leaves at once', rules.leaving_at_once, one_developer_leaves],
    ['who falls below the least leaves at once', rules.leaving_at_once, one_account_leaves],
    ['an empty difference is counted anew', rules.counting_anew, erasure],
  ];
  for (const [name, policy, attack] of attacked) {
    const share = attack === difference_closure ? long_worlds_share : 1;
    const tried = Math.ceil(worlds * share);
    const counts = [policy, full_policy].map((one) => successes(attack, one, seed, tried));
    row([name, attack.name, ...counts]);
  }
}
