import { parseArgs } from 'node:util';
import fc from 'fast-check';
import type { Attack } from '../attacks/attack.js';
import { erasure, one_account_leaves, one_developer_leaves } from '../attacks/one-change.js';
import { difference_closure } from '../attacks/subtraction.js';
import { full_policy, type Rules } from '../world/paper-publisher.js';
import { measure, nothing_measured, type Measurement } from './measure.js';
import * as rules from './rule-sets.js';
import { simulated_epochs, simulated_tools, simulateTool } from './simulated-tool.js';

const write = (text: string): void => void process.stdout.write(text);

const row = (cells: readonly (string | number)[]): void => write(`| ${cells.join(' | ')} |\n`);

const header = (cells: readonly string[]): void => {
  row(cells);
  row(cells.map((_cell, index) => (index === 0 ? '---' : '---:')));
};

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

/** The value below which this share of the list lies. */
function quantile(list: readonly number[], share: number): number {
  return list.toSorted((a, b) => a - b)[Math.floor(share * (list.length - 1))] ?? Number.NaN;
}

function columns(found: Measurement): (string | number)[] {
  const { isolations, smallChanges, recovered, arrivals, published, publishable } = found;
  return [
    isolations,
    smallChanges,
    `${recovered} of ${arrivals}`,
    percent(published / publishable),
    `${(found.ages.reduce((sum, age) => sum + age, 0) / found.ages.length).toFixed(1)}`,
    quantile(found.ages, 0.95),
    percent(quantile(found.errors, 0.5)),
    percent(quantile(found.errors, 0.95)),
  ];
}

function simulate(seed: number): void {
  write(`${simulated_tools} tools, ${simulated_epochs} daily epochs, seed ${seed}\n\n`);
  header([
    'policy',
    'isolations',
    'changes by < 5',
    'accounts recovered',
    'coverage',
    'mean age, days',
    'age p95',
    'error p50',
    'error p95',
  ]);
  const policies: readonly (readonly [string, Rules])[] = [
    ['threshold only', rules.threshold_only],
    ['and rounding', rules.threshold_and_rounding],
    ['full policy', full_policy],
  ];
  for (const [name, policy] of policies) {
    const found = nothing_measured();
    for (let index = 0; index < simulated_tools; index += 1) {
      measure(simulateTool(index, seed), policy, found);
    }
    row([name, ...columns(found)]);
  }
}

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

function compareRules(seed: number, worlds: number): void {
  write('\n');
  header(['rule', 'attack', 'succeeds', 'under the full policy']);
  const attacked: readonly (readonly [string, Rules, Attack])[] = [
    ['the gate compares within one cell', rules.gate_of_one_cell, difference_closure],
    ['who falls below the least leaves at once', rules.leaving_at_once, one_developer_leaves],
    ['who falls below the least leaves at once', rules.leaving_at_once, one_account_leaves],
    ['an empty difference is counted anew', rules.counting_anew, erasure],
  ];
  for (const [name, policy, attack] of attacked) {
    const counts = [policy, full_policy].map((one) => successes(attack, one, seed, worlds));
    row([name, attack.name, ...counts]);
  }
}

const { values } = parseArgs({
  options: { seed: { type: 'string' }, worlds: { type: 'string' } },
});
const seed = Number(values.seed ?? 20_260_301);
simulate(seed);
compareRules(seed, Number(values.worlds ?? 200));
