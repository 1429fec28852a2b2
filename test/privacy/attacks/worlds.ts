import fc from 'fast-check';
import type { WorldPlan } from '../world/make-world.js';

/** Days before the first epoch on which things happened already. */
const history_days = 60;

/** Small worlds: few tools, at most 200 developers at a time. */
export function plans(epochs: number, tools = 2, developersMax = 120): fc.Arbitrary<WorldPlan> {
  return fc.record({
    seed: fc.integer({ min: 0, max: 2 ** 31 }),
    tools: fc.integer({ min: 1, max: tools }),
    developersMax: fc.integer({ min: Math.ceil(developersMax / 2), max: developersMax }),
    firstDay: fc.constant(-history_days),
    lastDay: fc.constant(epochs),
    churnPercent: fc.constantFrom(0, 1, 2, 5, 10),
  });
}
