import fc from 'fast-check';
import { cohortFacts, cohortOf } from '#domain/adoption/cohort-members.js';
import { periodDays } from '#domain/adoption/period.js';
import type { CohortFigures } from '#domain/adoption/series.js';
import { passesDominance, topAccountExceeds } from '#domain/adoption/steps/tests.js';
import { crowd, makeWorld } from '../world/make-world.js';
import {
  full_policy,
  PaperPublisher,
  type Rules,
  type ShownTruth,
} from '../world/paper-publisher.js';
import { catalogued, type World } from '../world/world.js';
import { succeeds, type Attack } from './attack.js';
import { plans } from './worlds.js';

const { policy: promised } = full_policy;

/** One tool whose accounts have these sizes, all of them on one day. */
const anySizes = fc.tuple(
  fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 0, maxLength: 2 }),
  fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 12 }),
);

const oneTool = (sizes: readonly number[]): World => {
  const tool = catalogued('alpha');
  return { tools: [tool], uses: crowd(tool.id, sizes) };
};

/** Looks at the truth behind every figure that one epoch shows of such a tool. */
function eachFigure(name: string, worlds: number, look: (truth: ShownTruth) => void): Attack {
  return {
    name,
    worlds,
    property: (rules) =>
      fc.property(anySizes, ([large, small]) => {
        const publisher = new PaperPublisher(rules);
        publisher.publish(oneTool([...large, ...small]), 0);
        for (const truth of publisher.truths) look(truth);
      }),
  };
}

export const few_developers = eachFigure('a published count of few', 60, ({ members }) => {
  const facts = cohortFacts(members);
  const isSmall =
    facts.developers < promised.minDevelopers || facts.accounts < promised.minAccounts;
  if (isSmall) succeeds(JSON.stringify(facts));
});

export const one_account = eachFigure('a published count of one account', 60, ({ members }) => {
  const facts = cohortFacts(members);
  if (topAccountExceeds(facts, promised.topAccountPercentMax)) succeeds(JSON.stringify(facts));
});

/** Who knows how large the second largest account is, being it, estimates the largest one. */
export const insider = eachFigure('insider of the second largest account', 300, ({ members }) => {
  const facts = cohortFacts(members);
  if (!passesDominance(facts, promised)) succeeds(JSON.stringify(facts));
});

const widthOf = ({ lower, upper }: CohortFigures['developers']) => upper - lower + 1;

/** Of the counts that a figure can stand for, the lowest rung of the ladder leaves five. */
export const exact_count = eachFigure('an exact count', 30, ({ figures }) => {
  // What is rounded down to the least that is ever shown leaves the half above it.
  if (widthOf(figures.developers) < 3) succeeds(JSON.stringify(figures));
});

export const nearly_dominated = eachFigure(
  'insider of a nearly dominated cohort',
  60,
  ({ members, figures }) => {
    const isNear = topAccountExceeds(cohortFacts(members), promised.coarseAbovePercent);
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
          const links = [...members.values()].filter(({ returned }) => returned === side);
          const facts = cohortFacts(cohortOf(links));
          const isFew =
            facts.developers < promised.retentionMinSide || !passesDominance(facts, promised);
          if (isFew) succeeds(JSON.stringify(facts));
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
