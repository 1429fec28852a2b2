import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { pino } from 'pino';
import type { ReceivedEvent } from '../../apps/ingest-worker/src/decode-received.js';
import { identifyDevelopers } from '../../apps/ingest-worker/src/identify-developers.js';
import { recallDevelopers } from '../../apps/ingest-worker/src/recall-developers.js';
import { openDatabase, type Database } from '#postgres/database.js';
import { ErasureDesk } from '#postgres/erasures/erasure-desk.js';
import { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { readIdentityPages, type IdentityPage } from '#postgres/identities/identity-pages.js';
import { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import { RememberedIdentities } from '#postgres/identities/remembered-identities.js';
import { eventually } from '../support/eventually.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';

let stores: SpecStores;
let database: Database;
let elsewhere: Database;
/** The registry of a clerk, which remembers, and that of another process on the same database. */
let registry: IdentityRegistry;
let another: IdentityRegistry;

beforeEach(async () => {
  stores = await createSpecStores();
  database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
  elsewhere = await openDatabase({ url: stores.databaseUrl, app: 'spec-elsewhere' });
  registry = new IdentityRegistry(database);
  another = new IdentityRegistry(elsewhere);
});
afterEach(async () => {
  await Promise.all([database?.destroy(), elsewhere?.destroy()]);
  await stores?.drop();
});

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const id = (name: string) => ({ developerHash: hashOf(`id ${name}`), emailHash: null });
const email = (name: string) => ({ developerHash: null, emailHash: hashOf(`email ${name}`) });
const both = (name: string) => ({ ...email(name), developerHash: hashOf(`id ${name}`) });
const keysOf = (of: IdentityRegistry, ...developers: Parameters<typeof of.resolve>[0]) =>
  of.resolve(developers);
const smaller = ([one, other]: readonly string[]) =>
  BigInt(one!) < BigInt(other!) ? one! : other!;
const larger = ([one, other]: readonly string[]) => (BigInt(one!) < BigInt(other!) ? other! : one!);

/** What `ops erase` does in the registry. */
async function erase(hash: string): Promise<void> {
  const desk = new ErasureDesk(elsewhere.manager);
  await desk.begin(hash, 'spec');
  for (const { id: erasure } of await desk.open()) await desk.complete(erasure);
}

/** Writes past everybody who changes keys, so that only a look into the table can tell. */
async function attach(hash: string, key: string): Promise<void> {
  await elsewhere.query(
    `insert into developer_identity (identity_hash, dev_key) values (decode($1, 'hex'), $2)
     on conflict (identity_hash) do update set dev_key = excluded.dev_key`,
    [hash, BigInt.asIntN(64, BigInt(key)).toString()],
  );
}
const emptyTable = () => elsewhere.query('delete from developer_identity');
const registered = async () =>
  (await elsewhere.query<unknown[]>('select from developer_identity')).length;

describe('a registry that knows a developer', () => {
  it('answers without the table, for an id, an e-mail and both', async () => {
    const developers = [both('ada'), id('ada'), email('ada'), id('grace'), email('alan')];
    const keys = await keysOf(registry, ...developers);
    await keysOf(registry, ...developers);
    await emptyTable();
    expect(await keysOf(registry, ...developers)).toEqual(keys);
    expect(await registered()).toBe(0);
  });

  it('gives what it knows of an id to an e-mail that it meets for the first time', async () => {
    const [key] = await keysOf(registry, id('ada'));
    expect(await keysOf(registry, both('ada'))).toEqual([key]);
    expect(await keysOf(another, email('ada'))).toEqual([key]);
  });

  it('links an id and an e-mail that it knows under two keys, and knows the winner', async () => {
    const keys = await keysOf(registry, id('ada'), email('ada'));
    const winner = smaller(keys);
    expect(await keysOf(registry, both('ada'), id('ada'), email('ada'))).toEqual(
      Array.from({ length: 3 }, () => winner),
    );
    expect(await keysOf(registry, id('ada'), email('ada'))).toEqual([winner, winner]);
  });

  it('is right about more developers than it can remember', async () => {
    const small = new IdentityRegistry(database, 50);
    const developers = Array.from({ length: 700 }, (_, index) => id(`${index}`));
    const keys = await small.resolve(developers);
    expect(new Set(keys).size).toBe(700);
    for (const step of [1, 3, 11]) {
      const turn = developers.map((_, index) => (index * step) % 700);
      const again = await small.resolve(turn.map((index) => developers[index]!));
      expect(again).toEqual(turn.map((index) => keys[index]));
    }
    expect(await registered()).toBe(700);
  });
});

describe('a registry that knows a developer whom another process links', () => {
  it('answers with the winner from then on', async () => {
    const keys = await keysOf(registry, id('ada'), email('ada'), id('grace'));
    await keysOf(another, both('ada'));
    const winner = smaller(keys);
    expect(await keysOf(registry, id('ada'), email('ada'))).toEqual([winner, winner]);
    await emptyTable();
    expect(await keysOf(registry, id('ada'), id('grace'))).toEqual([winner, keys[2]]);
  });

  it('answers with the last winner of a chain of links', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `${index}`);
    await keysOf(registry, ...names.map(id), email('shared'));
    for (const name of names) await keysOf(another, { ...email('shared'), ...pickId(name) });
    const winners = await keysOf(registry, ...names.map(id), email('shared'));
    expect(new Set(winners)).toEqual(new Set(await keysOf(another, email('shared'))));
  });

  it('asks for everybody again when more were linked than it follows', async () => {
    const names = Array.from({ length: 1_100 }, (_, index) => `${index}`);
    const ids = await keysOf(registry, ...names.map(id));
    const emails = await keysOf(registry, ...names.map(email));
    await another.resolve(names.map(both));
    expect(await keysOf(registry, ...names.map(id))).toEqual(
      ids.map((key, index) => smaller([key, emails[index]!])),
    );
  });

  it('learns that a hash moved which was attached to the losing key late', async () => {
    const keys = await keysOf(another, id('ada'), email('ada'));
    const [winner] = await keysOf(another, both('ada'));
    await attach(hashOf('email late'), larger(keys));
    expect(await keysOf(registry, email('late'))).toEqual([larger(keys)]);
    await keysOf(another, { ...email('late'), ...pickId('ada') });
    expect(await keysOf(registry, email('late'))).toEqual([winner]);
  });

  it('does not remember what it read before the link and learned after it', async () => {
    const remembered = new RememberedIdentities(database, 1_000);
    const keys = await keysOf(another, id('ada'), email('ada'));
    const before = await remembered.catchUp();
    const pages: IdentityPage[] = [];
    for await (const page of readIdentityPages(database)) pages.push(page);
    await keysOf(another, both('ada'));
    await remembered.catchUp();
    for (const page of pages) await remembered.keepPage(page);
    remembered.keep(before, new Map([[id('ada').developerHash, BigInt(keys[0]!)]]));
    expect(remembered.size).toBe(0);
  });

  it('does not remember an e-mail that it attached to the losing key meanwhile', async () => {
    const keys = await keysOf(another, id('a'), id('b'), email('shared'));
    const loser = keys[0] === smaller(keys.slice(0, 2)) ? 'b' : 'a';
    const racing = new IdentityRegistry(
      beforeRegistering(async () => {
        await another.resolve(['a', 'b'].map((name) => ({ ...email('shared'), ...pickId(name) })));
      }),
    );
    await keysOf(racing, { ...email('late'), ...pickId(loser) });
    const [inTable] = await keysOf(another, email('late'));
    await emptyTable();
    const [fresh] = await keysOf(racing, email('late'));
    expect([...keys, inTable]).not.toContain(fresh);
  });
});

/** The database of a clerk who is held up just before it registers somebody. */
function beforeRegistering(act: () => Promise<void>): Database {
  return new Proxy(database, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target) as unknown;
      if (name !== 'query') return value;
      return async (sql: string, values: unknown[]) => {
        if (sql.includes('insert into developer_identity')) await act();
        return target.query(sql, values);
      };
    },
  });
}

describe('a registry that knows a developer who is erased', () => {
  it('gives a fresh key to whoever comes back', async () => {
    const [key, other] = await keysOf(registry, id('ada'), id('grace'));
    await erase(id('ada').developerHash);
    const [fresh, same] = await keysOf(registry, id('ada'), id('grace'));
    expect(fresh).not.toBe(key);
    expect(same).toBe(other);
    expect(await keysOf(another, id('ada'))).toEqual([fresh]);
  });

  it('notices it although the greatest version of an alias is what it was', async () => {
    const [key] = await keysOf(registry, id('ada'), email('ada'), id('grace'));
    await keysOf(another, both('ada'));
    await erase(id('ada').developerHash);
    expect(await elsewhere.query('select from developer_alias')).toEqual([]);
    const [fresh, later] = await keysOf(registry, id('ada'), email('ada'));
    expect([fresh, later]).not.toContain(key);
    expect(await keysOf(another, id('ada'), email('ada'))).toEqual([fresh, later]);
  });

  it('judges a batch again at most once, and then gives a fresh key', async () => {
    const [key] = await keysOf(registry, id('ada'));
    await erase(id('ada').developerHash);
    await attach(hashOf('email late'), key!);
    expect(await keysOf(registry, email('late'))).toEqual([key]);
    const ledger = new ErasureLedger(database);
    const event = { message: { event: { email: hashOf('email late') } } };
    const events = [
      { ...event, claim: { receivedAt: Date.now() + 60_000 } } as unknown as ReceivedEvent,
    ];
    await expect(identifyDevelopers(registry, ledger, events)).rejects.toThrow('judged again');
    const [identified] = await identifyDevelopers(registry, ledger, events);
    expect(identified?.devKey).not.toBe(key);
  });
});

describe('a registry that recalls', () => {
  it('knows everybody who was registered', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `${index}`);
    const keys = await another.resolve(names.map(id));
    await keysOf(another, both('ada'));
    expect(await registry.recall(new AbortController().signal)).toBe(3_002);
    await emptyTable();
    expect(await registry.resolve(names.map(id))).toEqual(keys);
  });

  it('stops when it is told to, and when it is full', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `${index}`);
    await another.resolve(names.map(id));
    expect(await registry.recall(AbortSignal.abort())).toBe(0);
    const small = new IdentityRegistry(database, 100);
    expect(await small.recall(new AbortController().signal)).toBeLessThan(150);
    expect(await keysOf(small, ...names.map(id))).toEqual(await another.resolve(names.map(id)));
  });
});

describe('a worker', () => {
  it('goes on when it cannot recall, and says so once', async () => {
    const away = await openDatabase({ url: stores.databaseUrl, app: 'spec-away' });
    await away.destroy();
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line) => void lines.push(line) });
    const stop = recallDevelopers(new IdentityRegistry(away), logger);
    await eventually(
      () => Promise.resolve(lines.length),
      (count) => count > 0,
    );
    await stop();
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('known developers are not remembered');
  });

  it('that stops does not wait for the rest of the registry', async () => {
    const registered = 60_000;
    await elsewhere.query(
      `insert into developer_identity (identity_hash, dev_key)
       select sha256(n::text::bytea), n from generate_series(1, $1::int) as n`,
      [registered],
    );
    const lines: string[] = [];
    const logger = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
    const stop = recallDevelopers(registry, logger);
    await stop();
    const { identities } = JSON.parse(lines[0]!) as { readonly identities: number };
    expect(identities).toBeLessThan(registered);
  });
});

const pickId = (name: string) => ({ developerHash: id(name).developerHash });
