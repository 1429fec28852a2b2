import { full_policy, type Rules } from '../world/paper-publisher.js';
import { measure, nothing_measured, type Measurement } from './measure.js';
import { threshold_and_rounding, threshold_only } from './rule-sets.js';
import { simulated_epochs, simulated_tools, simulateTool } from './simulated-tool.js';
import { header, percent, row } from './table.js';

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

/** Publishes all tools day by day under three policies, and prints what came of it. */
export function simulate(seed: number): void {
  process.stdout.write(
    `${simulated_tools} tools, ${simulated_epochs} daily epochs, seed ${seed}\n\n`,
  );
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
    ['threshold only', threshold_only],
    ['and rounding', threshold_and_rounding],
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
