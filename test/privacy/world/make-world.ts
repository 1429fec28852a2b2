import type { EventFamily } from '#domain/usage/event-catalogue.js';
import { SeededRandom } from '../../support/seeded-random.js';
import { catalogued, type Use, type World } from './world.js';

/** What a world is made from; the same plan gives the same world. */
export interface WorldPlan {
  readonly seed: number;
  readonly tools: number;
  /** Most developers of a tool; each has from a tenth of them up. */
  readonly developersMax: number;
  /** First and last day on which anything happens. */
  readonly firstDay: number;
  readonly lastDay: number;
  /** Developers who begin or stop on a day, in percent of the tool's developers. */
  readonly churnPercent: number;
}

/** How a developer uses a tool. */
interface Habit {
  readonly developer: string;
  readonly account: string | null;
  readonly from: number;
  readonly until: number;
  /** Days between two uses. */
  readonly every: number;
  readonly activates: boolean;
  readonly expands: boolean;
}

export function makeWorld(plan: WorldPlan): World {
  const random = new SeededRandom(plan.seed);
  const tools = Array.from({ length: plan.tools }, (_, index) => catalogued(`tool-${index}`));
  const uses = tools.flatMap(({ id }) =>
    habits(plan, id, random).flatMap((habit) => usesOf(id, habit)),
  );
  return { tools, uses };
}

/** Sizes of accounts fall off: most are small, and one may be very large. */
function habits(plan: WorldPlan, tool: string, random: SeededRandom): Habit[] {
  const { developersMax, firstDay, lastDay, churnPercent } = plan;
  const size = random.between(Math.ceil(developersMax / 10), developersMax);
  const accounts = random.between(4, Math.max(5, Math.floor(size / 3)));
  const flatness = random.between(1, 4);
  const days = lastDay - firstDay + 1;
  const lifetime = churnPercent === 0 ? days : Math.ceil(200 / churnPercent);
  const generations = Math.max(1, Math.ceil(days / lifetime));
  return Array.from({ length: size * generations }, (_, index): Habit => {
    const born = firstDay - random.below(lifetime) + Math.floor(index / size) * lifetime;
    const rank = Math.floor(accounts * (random.below(1_000) / 1_000) ** flatness);
    return {
      developer: `${tool}-dev-${index}`,
      account: random.below(8) === 0 ? null : `${tool}-account-${rank}`,
      from: Math.max(born, firstDay),
      until: churnPercent === 0 ? lastDay : Math.min(born + lifetime, lastDay),
      every: random.pick([1, 2, 3, 7, 20, 45]),
      activates: random.below(3) > 0,
      expands: random.below(3) === 0,
    };
  });
}

function usesOf(tool: string, habit: Habit): Use[] {
  const { developer, account, from, until, every, activates, expands } = habit;
  const uses: Use[] = [];
  for (let day = from; day <= until; day += every) {
    const nth = uses.length;
    const family: EventFamily =
      activates && nth === 0 ? 'activation' : expands && nth % 3 === 1 ? 'expansion' : 'retention';
    uses.push({ tool, developer, account, day, family: activates || expands ? family : 'intent' });
  }
  return uses;
}

/** Developers of one tool, account by account, who all did the same on one day. */
export function crowd(
  tool: string,
  sizes: readonly number[],
  { day = 0, name = 'crowd' } = {},
): Use[] {
  return sizes.flatMap((size, nth) =>
    Array.from({ length: size }, (_, index) => ({
      tool,
      developer: `${tool}-${name}-${nth}-${index}`,
      account: `${tool}-${name}-account-${nth}`,
      day,
      family: 'activation',
    })),
  );
}
