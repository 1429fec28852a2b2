import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readAliasesAfter } from '#postgres/identities/developer-aliases.js';
import { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import {
  acceptedEvent,
  daysAgo,
  openProjectorWorld,
  type ProjectorWorld,
} from '../projector/projector-world.js';

let world: ProjectorWorld;
let registry: IdentityRegistry;

beforeEach(async () => {
  world = await openProjectorWorld();
  registry = new IdentityRegistry(world.database);
});
afterEach(() => world.close());

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const id = (name: string) => ({ developerHash: hashOf(`id ${name}`), emailHash: null });
const email = (name: string) => ({ developerHash: null, emailHash: hashOf(`email ${name}`) });
const both = (name: string, address: string) => ({ ...id(name), ...pick(email(address)) });
const pick = ({ emailHash }: { readonly emailHash: string | null }) => ({ emailHash });

/** The one key of the developers, or the keys when there are several. */
async function keysOf(...developers: Parameters<IdentityRegistry['resolve']>[0][number][]) {
  return registry.resolve(developers);
}

const smallest = (keys: readonly string[]) =>
  keys.reduce((one, other) => (BigInt(one) < BigInt(other) ? one : other));

const aliases = async () =>
  (await readAliasesAfter(world.database.manager, '0', 100)).map(
    ({ devKey, canonicalKey }) => [devKey, canonicalKey] as const,
  );

describe('an id and an e-mail that arrive together', () => {
  it('are one developer from the first event on', async () => {
    const [together] = await keysOf(both('ada', 'ada'));
    expect(await keysOf(id('ada'), email('ada'))).toEqual([together, together]);
    expect(await aliases()).toEqual([]);
  });

  it('become one developer when both are known under two keys; the smaller key wins', async () => {
    const keys = await keysOf(id('ada'), email('ada'), id('grace'));
    const winner = smallest(keys.slice(0, 2));
    expect(new Set(keys).size).toBe(3);
    expect(await keysOf(both('ada', 'ada'), id('grace'))).toEqual([winner, keys[2]]);
    expect(await keysOf(id('ada'), email('ada'))).toEqual([winner, winner]);
    const loser = keys.slice(0, 2).find((key) => key !== winner);
    expect(await aliases()).toEqual([[loser, winner]]);
  });

  it('link whole chains within one batch, and every alias names the last winner', async () => {
    const keys = await keysOf(id('a'), email('a'), id('b'), email('b'), id('c'));
    const batch = [both('a', 'a'), both('b', 'b'), both('b', 'a'), both('c', 'b')];
    const winner = smallest(keys);
    expect(await keysOf(...batch)).toEqual(batch.map(() => winner));
    const losers = keys.filter((key) => key !== winner);
    expect(new Map(await aliases())).toEqual(new Map(losers.map((key) => [key, winner])));
  });

  it('follow a developer who is linked later on', async () => {
    const keys = await keysOf(id('a'), email('a'), id('b'));
    await keysOf(both('a', 'a'));
    await keysOf(both('b', 'a'));
    const winner = smallest(keys);
    expect(await keysOf(id('a'), email('a'), id('b'))).toEqual([winner, winner, winner]);
    const losers = keys.filter((key) => key !== winner);
    expect(new Map(await aliases())).toEqual(new Map(losers.map((key) => [key, winner])));
  });

  it('agree on one key when many clerks link them at once', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `dev-${index}`);
    const keys = await keysOf(...names.map(id), email('shared'));
    const clerks = names.map((name) => registry.resolve([both(name, 'shared')]));
    await Promise.all(clerks);
    const winner = smallest(keys);
    expect(new Set(await keysOf(...names.map(id), email('shared')))).toEqual(new Set([winner]));
    expect(new Set((await aliases()).map(([, to]) => to))).toEqual(new Set([winner]));
  });
});

describe('rows that were projected under two keys', () => {
  it('collapse to one developer on every day once the keys are linked', async () => {
    const { productId } = await world.addTool('alpha');
    const [one, other] = await keysOf(id('ada'), email('ada'));
    await world.accept([
      acceptedEvent(productId, 0, { devKey: one!, occurredAt: daysAgo(9) }),
      acceptedEvent(productId, 0, { devKey: other!, occurredAt: daysAgo(9) }),
      acceptedEvent(productId, 0, { devKey: other!, occurredAt: daysAgo(3) }),
      acceptedEvent(productId, 7, { occurredAt: daysAgo(3) }),
    ]);
    await world.deliverAll();
    await world.publisher().publish();
    expect(await developersPerDay()).toEqual([2, 2]);
    expect(await developersInAll()).toBe(3);

    await keysOf(both('ada', 'ada'));
    await world.accept([acceptedEvent(productId, 0, { devKey: smallest([one!, other!]) })]);
    await world.deliverAll();
    await world.publisher().publish();
    expect(await developersPerDay()).toEqual([1, 2, 1]);
    expect(await developersInAll()).toBe(2);
  });

  it('collapse again in a column store that is built anew from the log', async () => {
    const { productId } = await world.addTool('alpha');
    const [one, other] = await keysOf(id('ada'), email('ada'));
    const [winner] = await keysOf(both('ada', 'ada'));
    await world.accept([one, other].map((devKey) => acceptedEvent(productId, 0, { devKey })));
    await world.deliverAll();
    await world.publisher().publish();
    for (const table of ['usage_events_v1', 'dev_day_v1', 'developer_alias_v1']) {
      await world.clickhouse.run(`TRUNCATE TABLE ${table}`);
    }
    await world.deliverAll();
    await world.publisher().publish();
    expect(await developersInAll()).toBe(1);
    const [row] = await world.clickhouse.rows<{ key: string }>(
      'SELECT toString(any(dev_key)) AS key FROM dev_day_v1',
    );
    expect(row!.key).toBe(winner);
  });
});

const developersPerDay = async () =>
  (
    await world.clickhouse.rows<{ developers: number }>(
      'SELECT toUInt32(uniqExact(dev_key)) AS developers FROM dev_day_v1 GROUP BY day ORDER BY day',
    )
  ).map(({ developers }) => developers);

const developersInAll = async () =>
  (
    await world.clickhouse.rows<{ developers: number }>(
      'SELECT toUInt32(uniqExact(dev_key)) AS developers FROM dev_day_v1',
    )
  )[0]!.developers;
