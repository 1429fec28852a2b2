import fc from 'fast-check';
import { selectRows } from '#domain/adoption/select-rows.js';
import { boundDevelopers, scoreOf } from '#domain/adoption/score.js';
import { makeWorld } from '../world/make-world.js';
import { bytesOf, full_policy, PaperPublisher } from '../world/paper-publisher.js';
import { type World } from '../world/world.js';
import { succeeds, type Attack } from './attack.js';
import { plans } from './worlds.js';

const { policy: promised } = full_policy;

const sameBytes = (texts: readonly string[]) => {
  if (new Set(texts).size > 1) succeeds('the bytes differ');
};

/** Everything that is published twice of the same facts has the same bytes: there is no noise. */
export const polling: Attack = {
  name: 'polling within an epoch',
  worlds: 10,
  property: (rules) =>
    fc.property(plans(0), (plan) => {
      const world = makeWorld(plan);
      sameBytes([1, 2, 3].map(() => bytesOf(new PaperPublisher(rules).publish(world, 0))));
    }),
};

/** A row says the same on every page that shows it. */
export const filters: Attack = {
  name: 'filter consistency',
  worlds: 10,
  property: (rules) =>
    fc.property(plans(0, 12), fc.integer({ min: 1, max: 12 }), (plan, limit) => {
      const { rows } = new PaperPublisher(rules).publish(makeWorld(plan), 0);
      for (const list of rows.values()) {
        for (const row of list) {
          const { slug: tool, categorySlug: category } = row.tool;
          const filtered = [
            selectRows(list, { tool, category: null, limit }),
            selectRows(list, { tool, category, limit }),
            selectRows(list, { tool: null, category, limit: list.length }),
          ].map((selection) => selection.rows.find((one) => one.tool.slug === tool));
          sameBytes([row, ...filtered].map((one) => JSON.stringify(one)));
        }
      }
    }),
};

const turned = <Item>(items: readonly Item[], by: number): Item[] => {
  const cut = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(cut), ...items.slice(0, cut)].reverse();
};

/** A replay in another order, with other batches, publishes the same bytes epoch by epoch. */
export const determinism: Attack = {
  name: 'determinism',
  worlds: 6,
  property: (rules) =>
    fc.property(plans(6, 4), fc.nat(), (plan, by) => {
      const world = makeWorld(plan);
      const replayed = { tools: turned(world.tools, by), uses: turned(world.uses, by) };
      const [one, other] = [world, replayed].map((each) => {
        const publisher = new PaperPublisher(rules);
        return [0, 1, 2, 3, 4, 5].map((day) => bytesOf(publisher.publish(each, day))).join('');
      });
      sameBytes([one!, other!]);
    }),
};

/** One developer sends very many events. */
export const many_events: Attack = {
  name: 'one developer sending very many events',
  worlds: 10,
  property: (rules) =>
    fc.property(plans(0), fc.nat(), (plan, choice) => {
      const world = makeWorld(plan);
      const use = world.uses[choice % Math.max(1, world.uses.length)];
      if (use === undefined) return;
      const uses = [...world.uses, ...Array.from({ length: 10_000 }, () => use)];
      const worlds: World[] = [world, { ...world, uses }];
      sameBytes(worlds.map((each) => bytesOf(new PaperPublisher(rules).publish(each, 0))));
    }),
};

/** No row holds anything that names a developer or an account. */
export const leaks: Attack = {
  name: 'leak scan',
  worlds: 10,
  property: (rules) =>
    fc.property(plans(4), (plan) => {
      const publisher = new PaperPublisher(rules);
      const world = makeWorld(plan);
      const bytes = [0, 1, 2, 3].map((day) => bytesOf(publisher.publish(world, day))).join('');
      if (/-dev-|-account-|carried|counted|difference|gate/.test(bytes)) succeeds(bytes);
    }),
};

/** Score and rank are worked out again from what the row shows, and nothing else. */
export const score_from_figures: Attack = {
  name: 'a score that knows more than its row',
  worlds: 10,
  property: (rules) =>
    fc.property(plans(0, 12), (plan) => {
      const { rows } = new PaperPublisher(rules).publish(makeWorld(plan), 0);
      for (const [period, list] of rows) {
        const published = list.filter(({ metrics }) => metrics !== null);
        for (const { metrics, score } of published) {
          const { score: again } = scoreOf(metrics!, period, promised);
          if (again.value !== score!.value) succeeds(JSON.stringify([metrics, score]));
        }
        const sorted = published.toSorted(
          (a, b) => b.score!.value - a.score!.value || (a.tool.slug < b.tool.slug ? -1 : 1),
        );
        sameBytes([published, sorted].map((one) => JSON.stringify(one)));
      }
    }),
};

/** A customer with a crowd of developers lifts the score by what its account is worth. */
export const crowd_in_one_account: Attack = {
  name: 'a crowd in one account',
  worlds: 100,
  property: ({ policy }) =>
    fc.property(fc.integer({ min: 5, max: 100 }), fc.nat(100_000), (accounts, developers) => {
      const count = (value: number) => ({ value, lower: value, upper: value });
      const figures = { developers: count(developers), accounts: count(accounts) };
      if (boundDevelopers(figures, policy) > accounts * promised.scoreDevelopersPerAccountMax) {
        succeeds(JSON.stringify(figures));
      }
    }),
};
