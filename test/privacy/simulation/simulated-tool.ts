import { SeededRandom } from '../../support/seeded-random.js';
import { makeWorld } from '../world/make-world.js';
import { withUses, type Use, type World } from '../world/world.js';

export const simulated_tools = 60;
export const simulated_epochs = 68;

/** The first tools get a new account with a quarter of their developers on some day. */
const tools_with_arrival = 24;
const history_days = 100;

/** A customer that begins with many developers at once. */
export interface Arrival {
  readonly day: number;
  readonly developers: number;
}

export interface SimulatedTool {
  readonly world: World;
  readonly arrival: Arrival | null;
}

/** One tool over the whole time: sizes from dozens to thousands, most of them small. */
export function simulateTool(index: number, seed: number): SimulatedTool {
  const random = new SeededRandom(seed + index);
  const size = Math.round(30 * 2 ** (random.below(500) / 100));
  const world = makeWorld({
    seed: seed + index,
    tools: 1,
    developersMax: size,
    firstDay: -history_days,
    lastDay: simulated_epochs,
    churnPercent: random.pick([1, 1, 2, 4]),
  });
  if (index >= tools_with_arrival) return { world, arrival: null };
  const day = random.between(20, 45);
  const inLastWeek = world.uses.filter((use) => use.day > day - 7 && use.day <= day);
  const active = new Set(inLastWeek.map(({ developer }) => developer)).size;
  const arrival = { day, developers: Math.max(5, Math.round(active / 4)) };
  return { world: withUses(world, arrivalUses(world.tools[0]!.id, arrival)), arrival };
}

function arrivalUses(tool: string, { day, developers }: Arrival): Use[] {
  return Array.from({ length: developers }, (_, index) => `${tool}-arrival-${index}`).flatMap(
    (developer) =>
      Array.from({ length: Math.ceil((simulated_epochs - day) / 2) }, (_, nth): Use => {
        const account = `${tool}-arrived`;
        const family = nth === 0 ? 'activation' : 'retention';
        return { tool, developer, account, day: day + nth * 2, family };
      }),
  );
}
