import fc from 'fast-check';
import { crowd, makeWorld } from '../world/make-world.js';
import { PaperPublisher, type ShownTruth } from '../world/paper-publisher.js';
import { withUses, without, type World } from '../world/world.js';
import { succeeds, type Attack } from './attack.js';
import { plans } from './worlds.js';

/** What happens between two epochs; the number chooses to whom. */
interface Change {
  readonly apply: (world: World, choice: number) => World;
  /** Whom the operator erases as well. */
  readonly erased?: (world: World, choice: number) => string;
}

const cellOf = ({ tool, period, part }: ShownTruth) => `${tool} ${period} ${part}`;

/**
 * Publishes twice on one day, with one change in between: all that was shown has to be shown
 * again, with the very same figures.
 */
function unseen(name: string, change: Change): Attack {
  return {
    name,
    worlds: 40,
    property: (rules) =>
      fc.property(plans(0), fc.nat(), (plan, choice) => {
        const world = makeWorld(plan);
        if (world.uses.length === 0) return;
        const publisher = new PaperPublisher(rules);
        publisher.publish(world, 0);
        const before = publisher.truths.splice(0);
        const erased = change.erased?.(world, choice);
        if (erased !== undefined) publisher.erase(erased);
        publisher.publish(change.apply(world, choice), 0);
        const after = new Map(publisher.truths.map((truth) => [cellOf(truth), truth]));
        for (const shown of before) {
          const figures = JSON.stringify(after.get(cellOf(shown))?.figures ?? null);
          if (figures === JSON.stringify(shown.figures)) continue;
          succeeds(`${cellOf(shown)}: ${JSON.stringify(shown.figures)} became ${figures}`);
        }
      }),
  };
}

const anyUse = ({ uses }: World, choice: number) => uses[choice % uses.length]!;
const withoutDeveloper = (world: World, choice: number) => {
  const { developer } = anyUse(world, choice);
  return without(world, (use) => use.developer === developer);
};

export const one_developer_leaves = unseen('remove one developer', { apply: withoutDeveloper });

export const one_account_leaves = unseen('remove one account', {
  apply: (world, choice) => {
    const { account } = anyUse(world, choice);
    if (account === null) return withoutDeveloper(world, choice);
    return without(world, (use) => use.account === account);
  },
});

export const erasure = unseen('erasure does not move the next value', {
  apply: withoutDeveloper,
  erased: (world, choice) => anyUse(world, choice).developer,
});

export const one_account_arrives = unseen('arrival of an account with a quarter of the cohort', {
  apply: (world, choice) => {
    const { tool } = anyUse(world, choice);
    const developers = new Set(
      world.uses.filter((use) => use.tool === tool).map((use) => use.developer),
    );
    const size = Math.ceil(developers.size / 4);
    return withUses(world, crowd(tool, [size], { name: 'arrival' }));
  },
});

export const one_developer_moves = unseen('one developer changes accounts', {
  apply: (world, choice) => {
    const { developer } = anyUse(world, choice);
    const uses = world.uses.map((use) =>
      use.developer === developer ? { ...use, account: 'elsewhere' } : use,
    );
    return { ...world, uses };
  },
});

/** Numbers of the policy change between two epochs: what was rounded by the old ones is gone. */
export const policy_changes: Attack = {
  name: 'figures of a former policy',
  worlds: 10,
  property: (rules) =>
    fc.property(plans(1), fc.nat(), (plan, choice) => {
      const world = makeWorld(plan);
      const publisher = new PaperPublisher(rules);
      publisher.publish(world, 0);
      publisher.change({ ...rules.policy, pPercent: rules.policy.pPercent + 1 });
      const changed = world.uses.length === 0 ? world : withoutDeveloper(world, choice);
      publisher.publish(changed, 0);
      for (const truth of publisher.truths) {
        if (truth.epoch === 2 && !truth.cohort.startsWith('2/')) succeeds(cellOf(truth));
      }
    }),
};
