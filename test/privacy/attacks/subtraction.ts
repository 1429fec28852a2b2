import fc from 'fast-check';
import { differenceOf, isSmallCohort, isSmallDifference } from '../world/group.js';
import { makeWorld } from '../world/make-world.js';
import { PaperPublisher, type Rules, type ShownTruth } from '../world/paper-publisher.js';
import { succeeds, type Attack } from './attack.js';
import { plans } from './worlds.js';

function publishDaily(plan: Parameters<typeof makeWorld>[0], rules: Rules, epochs: number) {
  const world = makeWorld(plan);
  const publisher = new PaperPublisher(rules);
  for (let day = 0; day < epochs; day += 1) publisher.publish(world, day);
  return publisher.truths;
}

const nameOf = ({ tool, cohort }: ShownTruth) => `${tool} ${cohort}`;

/** Each cohort of a series once. */
function distinct(truths: readonly ShownTruth[]): ShownTruth[] {
  return [...new Map(truths.map((truth) => [nameOf(truth), truth])).values()];
}

/** All published counts of a tool, subtracted from each other, over 60 epochs. */
export const difference_closure: Attack = {
  name: 'difference closure over all published pairs',
  worlds: 6,
  property: (rules) =>
    fc.property(plans(60, 1), (plan) => {
      const shown = distinct(publishDaily(plan, rules, 60));
      for (const [index, one] of shown.entries()) {
        for (const other of shown.slice(0, index)) {
          if ((one.part === 'retention') !== (other.part === 'retention')) continue;
          const difference = differenceOf(one.members, other.members);
          if (difference.developers === 0 || !isSmallDifference(difference)) continue;
          succeeds(`${nameOf(one)} and ${other.cohort}: ${JSON.stringify(difference)}`);
        }
      }
    }),
};

/** The parts of a row, subtracted from what the row shows as a whole. */
export const part_from_whole: Attack = {
  name: 'a part subtracted from its whole',
  worlds: 20,
  property: (rules) =>
    fc.property(plans(12), (plan) => {
      const truths = publishDaily(plan, rules, 12);
      const wholes = new Map(
        truths
          .filter(({ part }) => part === 'all')
          .map((one) => [`${one.epoch} ${one.tool} ${one.period}`, one]),
      );
      for (const part of truths) {
        if (part.part === 'all' || part.part === 'retention') continue;
        const whole = wholes.get(`${part.epoch} ${part.tool} ${part.period}`)!;
        const rest = differenceOf(whole.members, part.members);
        if (rest.developers === 0 || !isSmallCohort(rest)) continue;
        succeeds(`${nameOf(part)} of ${whole.cohort}: ${JSON.stringify(rest)}`);
      }
    }),
};
