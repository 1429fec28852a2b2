import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { identity_limits } from '#domain/limits.js';
import { readAliasesAfter } from '#postgres/identities/developer-aliases.js';
import { lockIdentities } from '#postgres/identities/identity-lock.js';
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

/** How many different keys there are. */
const developers = (keys: readonly string[]) => new Set(keys).size;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
const { hashes_of_developer_max } = identity_limits;

describe('an id that more addresses come with than a person has', () => {
  const addresses = numbered(3 * hashes_of_developer_max);
  const strangers = addresses.map((address) => both('anonymous', address));
  /** The id and its first addresses are one developer; every other address is one of its own. */
  const apart = addresses.length - (hashes_of_developer_max - 1) + 1;

  it('makes no developer of them all, in one batch', async () => {
    const keys = await keysOf(...strangers);
    expect(developers(keys)).toBe(apart);
    expect(await keysOf(...addresses.map(email))).toEqual(keys);
  });

  it('makes no developer of them all, batch by batch', async () => {
    const keys = [];
    for (const stranger of strangers) keys.push(...(await keysOf(stranger)));
    expect(developers(keys)).toBe(apart);
    expect(await keysOf(...addresses.map(email))).toEqual(keys);
  });

  it('makes no developer of addresses that are known already', async () => {
    const known = await keysOf(...addresses.map(email), id('anonymous'));
    expect(developers(known)).toBe(addresses.length + 1);
    const keys = await keysOf(...strangers);
    expect(developers(keys)).toBe(apart);
    expect(await keysOf(...addresses.map(email))).toEqual(keys);
  });

  it('is one developer where it comes alone', async () => {
    await keysOf(...strangers);
    expect(developers(await keysOf(id('anonymous'), id('anonymous')))).toBe(1);
  });

  it('gives each address the same key in every process, and after a restart', async () => {
    const keys = await keysOf(...strangers);
    const another = new IdentityRegistry(world.database);
    expect(await another.resolve(strangers)).toEqual(keys);
    expect(await another.resolve([...strangers].reverse())).toEqual([...keys].reverse());
    expect(await keysOf(...strangers)).toEqual(keys);
  });

  it('asks the lock of links once and not for every event', async () => {
    await keysOf(...addresses.map(email), id('anonymous'));
    await keysOf(...strangers);
    const lockless = await keysOf(...strangers);
    const keeper = world.database.createQueryRunner();
    await keeper.startTransaction();
    await lockIdentities(keeper.manager);
    expect(await keysOf(...strangers)).toEqual(lockless);
    await keeper.rollbackTransaction();
    await keeper.release();
  });
});

describe('an address that more ids come with than a person has', () => {
  it('leaves those beyond the limit who they are', async () => {
    const names = numbered(2 * hashes_of_developer_max);
    const keys = await keysOf(...names.map((name) => both(name, 'team')));
    expect(developers(keys)).toBe(names.length - (hashes_of_developer_max - 1) + 1);
    expect(await keysOf(...names.map(id))).toEqual(keys);
  });
});

describe('two developers who have more ids together than a person has', () => {
  it('stay two, and the event is of the smaller one', async () => {
    const names = numbered(hashes_of_developer_max - 1);
    await keysOf(...names.map((name) => both(name, 'ada')));
    const [ada] = await keysOf(email('ada'));
    const [grace] = await keysOf(both('grace', 'grace'));
    expect(await keysOf(both('grace', 'ada'))).toEqual([grace]);
    expect(await keysOf(email('ada'), email('grace'))).toEqual([ada, grace]);
  });

  it('become one where the limit is just kept', async () => {
    const names = numbered(hashes_of_developer_max - 2);
    await keysOf(...names.map((name) => both(name, 'ada')));
    await keysOf(id('grace'));
    await keysOf(both('grace', 'ada'));
    expect(developers(await keysOf(id('grace'), email('ada'), ...names.map(id)))).toBe(1);
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
