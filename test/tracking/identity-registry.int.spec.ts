import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { openDatabase, type Database } from '#postgres/database.js';
import { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';

let stores: SpecStores;
let database: Database;
let registry: IdentityRegistry;

beforeAll(async () => {
  stores = await createSpecStores();
  database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
  registry = new IdentityRegistry(database);
});
afterAll(async () => {
  await database?.destroy();
  await stores?.drop();
});

const anyHash = () => randomBytes(32).toString('hex');
const byId = (developerHash: string) => ({ developerHash, emailHash: null });
const byEmail = (emailHash: string) => ({ developerHash: null, emailHash });

describe('the registry of developers', () => {
  it('gives each developer one random 64-bit key, in the order asked', async () => {
    const [one, other] = [anyHash(), anyHash()];
    const first = await registry.resolve([byId(one), byId(other), byId(one)]);
    expect(first[0]).toBe(first[2]);
    expect(first[0]).not.toBe(first[1]);
    for (const key of first) expect(BigInt.asUintN(64, BigInt(key))).toBe(BigInt(key));
    const later = await new IdentityRegistry(database).resolve([byId(other), byId(one)]);
    expect(later).toEqual([first[1], first[0]]);
  });

  it('gives keys from the whole unsigned range, the same when they are read back', async () => {
    const developers = Array.from({ length: 64 }, () => byId(anyHash()));
    const keys = await registry.resolve(developers);
    // With 64 keys, none in the upper half has a chance of 2^-64.
    expect(keys.some((key) => BigInt(key) >= 2n ** 63n)).toBe(true);
    expect(new Set(keys).size).toBe(64);
    expect(await registry.resolve(developers)).toEqual(keys);
  });

  it('links an id and an e-mail that arrive together, whichever is known', async () => {
    const [id, email, newId, newEmail] = [anyHash(), anyHash(), anyHash(), anyHash()];
    const [idKey] = await registry.resolve([byId(id)]);
    const [emailKey] = await registry.resolve([byEmail(email)]);
    const linked = await registry.resolve([
      { developerHash: id, emailHash: newEmail },
      byEmail(newEmail),
      { developerHash: newId, emailHash: email },
      byId(newId),
    ]);
    expect(linked).toEqual([idKey, idKey, emailKey, emailKey]);
    expect(await registry.resolve([byEmail(newEmail), byId(newId)])).toEqual([idKey, emailKey]);
  });

  it('makes one developer of two that are known, under the smaller key', async () => {
    const [id, email] = [anyHash(), anyHash()];
    const [idKey, emailKey] = await registry.resolve([byId(id), byEmail(email)]);
    const smaller = BigInt(idKey!) < BigInt(emailKey!) ? idKey : emailKey;
    const together = { developerHash: id, emailHash: email };
    expect(await registry.resolve([together])).toEqual([smaller]);
    expect(await registry.resolve([byEmail(email), byId(id)])).toEqual([smaller, smaller]);
  });

  it('agrees with every other clerk that registers the same developers at once', async () => {
    const developers = Array.from({ length: 300 }, () => byId(anyHash()));
    const clerks = Array.from({ length: 4 }, () => new IdentityRegistry(database));
    const answers = await Promise.all(
      clerks.map((clerk, turn) =>
        clerk.resolve(turn % 2 === 0 ? developers : developers.toReversed()),
      ),
    );
    expect(answers[1]!.toReversed()).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
    expect(answers[3]!.toReversed()).toEqual(answers[0]);
  });

  it('knows nobody when nobody is asked for', async () => {
    expect(await registry.resolve([])).toEqual([]);
    await expect(registry.resolve([{ developerHash: null, emailHash: null }])).rejects.toThrow();
  });
});
