import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Claim } from '#domain/claims/claim.js';
import { uuidv7 } from '#domain/text/uuidv7.js';
import { ClaimLedger } from '#postgres/claims/claim-ledger.js';
import { openDatabase } from '#postgres/database.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';

let stores: SpecStores;
let ledger: ClaimLedger;

const aClaim = (): Claim => ({
  eventId: randomUUID(),
  organizationId: randomUUID(),
  payloadHash: randomBytes(32).toString('hex'),
  fieldHashes: randomBytes(8).toString('base64'),
  receivedAt: Date.now(),
});
const store = (claims: readonly Claim[]) => ledger.transaction((open) => open.insert(claims));

beforeAll(async () => {
  stores = await createSpecStores();
  const { databaseUrl } = stores;
  await (await openDatabase({ url: databaseUrl, app: 'spec' })).destroy();
  ledger = new ClaimLedger({ databaseUrl, app: 'spec', connectionsMax: 2 });
});
afterAll(async () => {
  await ledger.close();
  await stores.drop();
});

describe('the ledger takes claims', () => {
  it('and holds them exactly as they were offered', async () => {
    const claims = [0, 1, 28, 255].map((bytes) => ({
      ...aClaim(),
      fieldHashes: randomBytes(bytes).toString('base64'),
    }));
    await store(claims);
    const held = await ledger.find(claims.map(({ eventId }) => eventId));
    expect([...held.values()].sort(byId)).toEqual(claims.sort(byId));
  });

  it('in the order of their ids, so that two transactions cannot wait for each other', async () => {
    const claims = Array.from({ length: 20 }, aClaim);
    await store(claims);
    const database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
    const rows = await database.query<{ event_id: string }[]>(
      'select event_id from idempotency_claim where event_id = any($1::uuid[]) order by ctid',
      [claims.map(({ eventId }) => eventId)],
    );
    await database.destroy();
    expect(rows.map(({ event_id }) => event_id)).toEqual(
      claims.map(({ eventId }) => eventId).sort(),
    );
  });

  it('and refuses what has no place in a row, with nothing stored', async () => {
    const claim = aClaim();
    const cut = { ...aClaim(), payloadHash: claim.payloadHash.slice(2) };
    await expect(store([claim, cut])).rejects.toThrow(RangeError);
    expect((await ledger.find([claim.eventId])).size).toBe(0);
  });
});

describe('the ledger compares claims with what it holds', () => {
  it('and is silent about those that it holds as they are', async () => {
    const claims = [aClaim(), aClaim(), aClaim()];
    await store(claims);
    expect(await ledger.compare(claims)).toEqual({ free: new Set(), held: new Map() });
  });

  it('names the ids that nobody has claimed', async () => {
    const [stored, fresh] = [aClaim(), aClaim()];
    await store([stored]);
    const { free, held } = await ledger.compare([stored, fresh]);
    expect([...free]).toEqual([fresh.eventId]);
    expect(held.size).toBe(0);
  });

  it('answers with the claim that holds an id with another content or another time', async () => {
    const claims = [aClaim(), aClaim()];
    await store(claims);
    const [one, other] = claims;
    const changed = { ...one!, payloadHash: randomBytes(32).toString('hex') };
    const later = { ...other!, receivedAt: other!.receivedAt + 1 };
    const { free, held } = await ledger.compare([changed, later]);
    expect(free.size).toBe(0);
    expect([...held.values()].sort(byId)).toEqual(claims.sort(byId));
  });

  it('without seeing or waiting for a transaction that is open', async () => {
    const claim = aClaim();
    await ledger.transaction(async (open) => {
      await open.insert([claim]);
      expect([...(await ledger.compare([claim])).free]).toEqual([claim.eventId]);
    });
  });

  it('of no claims at all', async () => {
    expect(await ledger.compare([])).toEqual({ free: new Set(), held: new Map() });
  });
});

describe('the ledger names a claim group', () => {
  const isNamed = async (group: string) => (await ledger.committedGroups([group])).has(group);

  it('from the moment its claims are committed', async () => {
    const group = uuidv7();
    await ledger.transaction(async (open) => {
      await open.insert([aClaim()], group);
      expect(await isNamed(group)).toBe(false);
    });
    expect(await isNamed(group)).toBe(true);
  });

  it('not when its claims were rolled back', async () => {
    const group = uuidv7();
    const failed = ledger.transaction(async (open) => {
      await open.insert([aClaim()], group);
      throw new Error('the log is away');
    });
    await expect(failed).rejects.toThrow('the log is away');
    expect(await isNamed(group)).toBe(false);
  });

  it('once, though it claims twice', async () => {
    const group = uuidv7();
    await ledger.transaction(async (open) => {
      await open.insert([aClaim()], group);
      await open.insert([aClaim()], group);
    });
    expect(await ledger.committedGroups([group, uuidv7()])).toEqual(new Set([group]));
  });

  it('until names of its time are forgotten, its claims never', async () => {
    const now = Date.now();
    const [older, newer] = [uuidv7(now - 1), uuidv7(now)];
    const claim = aClaim();
    await ledger.transaction((open) => open.insert([claim], older));
    await ledger.transaction((open) => open.insert([aClaim()], newer));
    await ledger.forgetGroupsBefore(now);
    expect(await ledger.committedGroups([older, newer])).toEqual(new Set([newer]));
    expect(await ledger.compare([claim])).toEqual({ free: new Set(), held: new Map() });
  });
});

function byId(one: Claim, other: Claim): number {
  return one.eventId < other.eventId ? -1 : 1;
}
