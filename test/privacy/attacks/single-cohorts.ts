import fc from 'fast-check';
import { periodDays } from '#domain/adoption/period.js';
import type { CohortFigures } from '#domain/adoption/series.js';
import { groupOf, holdsMoreThan, isEstimable } from '../world/group.js';
import { crowd, makeWorld } from '../world/make-world.js';
import { PaperPublisher, type Rules, type ShownTruth } from '../world/paper-publisher.js';
import { catalogued, type World } from '../world/world.js';
import { succeeds, type Attack } from './attack.js';
import { plans } from './worlds.js';

/** Sizes of accounts: some large ones, and a tail. */
const anySizes = fc.tuple(
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 0, maxLength: 2 }),
  fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 }),
);

/** Two large accounts of about one size, and hardly anybody else. */
const twoLarge = fc
  .tuple(fc.integer({ min: 15, max: 60 }), fc.integer({ min: 70, max: 100 }), fc.nat(9))
  .map(([largest, percent, tail]): [number[], number[]] => [
    [largest, Math.floor((largest * percent) / 100)],
    [3, ...Array.from({ length: 2 + tail }, () => 1)],
  ]);

const oneTool = (sizes: readonly number[]): World => {
  const tool = catalogued('alpha');
  return { tools: [tool], uses: crowd(tool.id, sizes) };
};

/** Looks at the truth behind every figure that one epoch shows of such a tool. */
function eachFigure(
  name: string,
  sizes: typeof anySizes,
  look: (truth: ShownTruth) => void,
): Attack {
  return {
    name,
    worlds: 60,
    property: (rules) =>
      fc.property(sizes, ([large, small]) => {
        const publisher = new PaperPublisher(rules);
        publisher.publish(oneTool([...large, ...small]), 0);
        for (const truth of publisher.truths) look(truth);
      }),
  };
}

export const few_developers = eachFigure('a published count of few', anySizes, ({ members }) => {
  const group = groupOf(members);
  if (group.developers < 20 || group.accounts.length < 5) succeeds(JSON.stringify(group));
});

export const one_account = eachFigure(
  'a published count of one account',
  anySizes,
  ({ members }) => {
    const group = groupOf(members);
    if (holdsMoreThan(group, 0.5)) succeeds(JSON.stringify(group));
  },
);

/** Who knows how large the second largest account is, being it, estimates the largest one. */
export const insider = eachFigure(
  'insider of the second largest account',
  twoLarge,
  ({ members }) => {
    const group = groupOf(members);
    if (isEstimable(group)) succeeds(JSON.stringify(group));
  },
);

const widthOf = ({ lower, upper }: CohortFigures['developers']) => upper - lower + 1;

/** Of the counts that a figure can stand for, the lowest rung of the ladder leaves five. */
export const exact_count = eachFigure('an exact count', anySizes, ({ figures }) => {
  // What is rounded down to the least that is ever shown leaves the half above it.
  if (widthOf(figures.developers) < 3) succeeds(JSON.stringify(figures));
});

export const nearly_dominated = eachFigure(
  'insider of a nearly dominated cohort',
  anySizes,
  ({ members, figures }) => {
    const isNear = holdsMoreThan(groupOf(members), 0.35);
    if (isNear && figures.developers.value % 10 !== 0) succeeds(JSON.stringify(figures));
  },
);

const daily = (rules: Rules, world: World, epochs: number): readonly ShownTruth[] => {
  const publisher = new PaperPublisher(rules);
  for (let day = 0; day < epochs; day += 1) publisher.publish(world, day);
  return publisher.truths;
};

/** A band of retention, one side of which is a few developers or one account. */
export const retention_of_few: Attack = {
  name: 'a retention band of few',
  worlds: 20,
  property: (rules) =>
    fc.property(plans(3, 2, 200), (plan) => {
      for (const { part, members } of daily(rules, makeWorld(plan), 3)) {
        if (part !== 'retention') continue;
        for (const side of [true, false]) {
          const links = [...members].filter(([, { returned }]) => returned === side);
          const group = groupOf(new Map(links));
          if (group.developers < 10 || isEstimable(group)) succeeds(JSON.stringify(group));
        }
      }
    }),
};

/** A tool goes quiet but for one developer: what was shown of it must not stand for ever. */
export const stale_figure: Attack = {
  name: 'a figure older than its period',
  worlds: 8,
  property: (rules) =>
    fc.property(plans(30, 1), (plan) => {
      const truths = daily(rules, makeWorld(plan), 30);
      const countedOn = new Map<string, number>();
      for (const { tool, period, part, day, counted } of truths) {
        const key = `${tool} ${period} ${part}`;
        if (counted) countedOn.set(key, day);
        const age = day - countedOn.get(key)!;
        if (age > periodDays(period)) succeeds(`${key} is ${age} days old`);
      }
    }),
};
