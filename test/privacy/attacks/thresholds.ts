import fc from 'fast-check';
import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import type { EpochOutcome } from '#domain/adoption/epoch.js';
import { crowd, makeWorld } from '../world/make-world.js';
import { bytesOf, full_policy, PaperPublisher } from '../world/paper-publisher.js';
import { catalogued, withUses, type World } from '../world/world.js';
import { succeeds, type Attack } from './attack.js';
import { plans } from './worlds.js';

const { policy: promised } = full_policy;
const [zero, few] = [catalogued('zero'), catalogued('few')];

/** Sizes of five accounts and up that have `developers` together. */
const spread = (developers: number, accounts: number): number[] =>
  Array.from({ length: accounts }, (_, nth) => Math.floor((developers + nth) / accounts));

const anyFew = fc.record({
  developers: fc.integer({ min: 1, max: promised.minDevelopers - 1 }),
  accounts: fc.integer({ min: 1, max: 9 }),
});

const rowsOf = ({ rows }: EpochOutcome, slug: string): AdoptionRow[] =>
  [...rows.values()].map((list) => list.find(({ tool }) => tool.slug === slug)!);

const beside = (plan: Parameters<typeof makeWorld>[0], ...more: World['uses'][]): World => {
  const world = makeWorld(plan);
  return withUses({ ...world, tools: [...world.tools, zero, few] }, more.flat());
};

/** A tool without events and one just below the least are the same but for what they are called. */
export const zero_or_few: Attack = {
  name: 'zero against k − 1',
  worlds: 20,
  property: (rules) =>
    fc.property(plans(0), anyFew, (plan, { developers, accounts }) => {
      const world = beside(plan, crowd(few.id, spread(developers, accounts)));
      const outcome = new PaperPublisher(rules).publish(world, 0);
      const [none, some] = [zero.slug, few.slug].map((slug) =>
        JSON.stringify(rowsOf(outcome, slug).map((row) => ({ ...row, tool: null }))),
      );
      if (none !== some) succeeds(some!);
    }),
};

/** Two suppressed tools exchange all that happened to them; no byte tells. */
export const permuted: Attack = {
  name: 'permuting suppressed tools',
  worlds: 20,
  property: (rules) =>
    fc.property(plans(0), anyFew, (plan, { developers, accounts }) => {
      const [one, other] = [few.id, zero.id].map((tool) =>
        beside(plan, crowd(tool, spread(developers, accounts))),
      );
      const [bytes, permutedBytes] = [one!, other!].map((world) =>
        bytesOf(new PaperPublisher(rules).publish(world, 0)),
      );
      if (bytes !== permutedBytes) succeeds('the bytes differ');
    }),
};

/** How many developers a tool has, day by day. */
const anySizes = (least: number, most: number) =>
  fc.array(fc.integer({ min: least, max: most }), { minLength: 60, maxLength: 60 });

/** Publishes a tool whose cohort of the last days has these sizes, one after the other. */
function statuses(rules: ConstructorParameters<typeof PaperPublisher>[0], sizes: number[]) {
  const publisher = new PaperPublisher(rules);
  return sizes.map((size, day) => {
    // Everybody is seen on the day of the epoch only, so the cohort is what the size says.
    const world = { tools: [few], uses: crowd(few.id, spread(size, 7), { day: 0 }) };
    const uses = world.uses.map((use) => ({ ...use, day }));
    return rowsOf(publisher.publish({ ...world, uses }, day), few.slug).map(({ status }) => status);
  });
}

/** A tool that never has k + 5 developers, whatever it does around k, is never shown. */
export const flicker_below: Attack = {
  name: 'flicker around k',
  worlds: 10,
  property: (rules) =>
    fc.property(anySizes(promised.minDevelopers - 3, promised.minDevelopers + 4), (sizes) => {
      const shown = statuses(rules, sizes).flat().includes('published');
      if (shown) succeeds('a tool that never entered is shown');
    }),
};

/** One that was shown does not go and come again because of some developers. */
export const flicker_above: Attack = {
  name: 'a tool that goes and comes again',
  worlds: 10,
  property: (rules) =>
    fc.property(anySizes(promised.minDevelopers - 3, promised.minDevelopers + 4), (sizes) => {
      const entered = [promised.minDevelopers + 6, ...sizes.slice(0, 7)];
      const gone = statuses(rules, entered).flat().includes('insufficient_data');
      if (gone) succeeds('a tool that was shown is gone');
    }),
};
