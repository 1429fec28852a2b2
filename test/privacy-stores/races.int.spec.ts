import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { ReceivedEvent } from '../../apps/ingest-worker/src/decode-received.js';
import { identifyDevelopers } from '../../apps/ingest-worker/src/identify-developers.js';
import { UsageRowStore } from '#read-models/project-usage/usage-row-store.js';
import type { Clickhouse } from '#clickhouse/clickhouse.js';
import { ErasureDesk } from '#postgres/erasures/erasure-desk.js';
import { ErasureLedger } from '#postgres/erasures/erasure-ledger.js';
import { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import { PersonalRows } from '#read-models/personal/personal-rows.js';
import { toUsageEventRow } from '#read-models/usage-events/usage-events.projection.js';
import {
  acceptedEvent,
  openProjectorWorld,
  type ProjectorWorld,
} from '../projector/projector-world.js';
import { first_version } from '../support/first-version.js';

let world: ProjectorWorld;
let registry: IdentityRegistry;

beforeEach(async () => {
  world = await openProjectorWorld();
  registry = new IdentityRegistry(world.database);
});
afterEach(() => world.close());

const ada = createHash('sha256').update('ada').digest('hex');
const address = createHash('sha256').update('address').digest('hex');

/** A received event, as far as its developer is concerned. */
const received = (hashes: { developer_id?: string; email?: string }, receivedAt = Date.now()) =>
  ({ message: { event: hashes }, claim: { receivedAt } }) as unknown as ReceivedEvent;

/** What `ops erase` does, step by step. */
async function erase(hash: string): Promise<void> {
  const desk = new ErasureDesk(world.database.manager);
  await desk.begin(hash, 'spec');
  for (const { id, devKeys } of await desk.open()) {
    await new PersonalRows(world.clickhouse).erase(devKeys);
    await desk.complete(id);
  }
}

/** The object, with one method that lets something happen before it works. */
function interrupted<T extends object>(object: T, method: keyof T, before: () => Promise<void>): T {
  let done = false;
  return new Proxy(object, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      const bound = (value as (...all: unknown[]) => unknown).bind(target);
      if (name !== method || done) return bound;
      done = true;
      return async (...all: unknown[]) => {
        await before();
        return bound(...all);
      };
    },
  });
}

const registered = async () =>
  (await world.database.query<unknown[]>('select from developer_identity')).length;

describe('a clerk that is about to look up keys while somebody is erased', () => {
  it('gives none to the erased one, and leaves nothing of theirs in the registry', async () => {
    await registry.resolve([{ developerHash: ada, emailHash: null }]);
    const events = [received({ developer_id: ada })];
    const desk = new ErasureDesk(world.database.manager);
    const racing = interrupted(registry, 'resolve', () => desk.begin(ada, 'spec'));
    const ledger = new ErasureLedger(world.database);
    await expect(identifyDevelopers(racing, ledger, events)).rejects.toThrow('judged again');
    for (const { id } of await desk.open()) await desk.complete(id);
    expect(await registered()).toBe(0);
    expect(await identifyDevelopers(racing, ledger, events)).toEqual([]);
    expect(await registered()).toBe(0);
  });

  it('takes an erased key away from a hash that was attached to it late', async () => {
    const [key] = await registry.resolve([{ developerHash: ada, emailHash: null }]);
    await erase(ada);
    await world.database.query(
      `insert into developer_identity (identity_hash, dev_key) values (decode($1, 'hex'), $2)`,
      [address, BigInt.asIntN(64, BigInt(key!)).toString()],
    );
    const ledger = new ErasureLedger(world.database);
    const events = [received({ email: address }, Date.now() + 60_000)];
    await expect(identifyDevelopers(registry, ledger, events)).rejects.toThrow('judged again');
    const [identified] = await identifyDevelopers(registry, ledger, events);
    expect(identified?.devKey).not.toBe(key);
  });

  it('leaves out an event as soon as one of its two hashes is erased', async () => {
    await registry.resolve([{ developerHash: ada, emailHash: null }]);
    const events = [received({ developer_id: ada, email: address })];
    await erase(ada);
    const ledger = new ErasureLedger(world.database);
    expect(await identifyDevelopers(registry, ledger, events)).toEqual([]);
    expect(await registered()).toBe(0);
  });
});

describe('a hash that was attached to a key just after that key lost to another', () => {
  const together = { developerHash: ada, emailHash: address };
  const late = createHash('sha256').update('late').digest('hex');

  /** Ada under two linked keys, and `late` under the losing one; answers with both keys. */
  async function attachLate(): Promise<readonly string[]> {
    const keys = await registry.resolve([
      { developerHash: ada, emailHash: null },
      { developerHash: null, emailHash: address },
    ]);
    const [winner] = await registry.resolve([together]);
    const loser = keys.find((key) => key !== winner)!;
    await world.database.query(
      `insert into developer_identity (identity_hash, dev_key) values (decode($1, 'hex'), $2)`,
      [late, BigInt.asIntN(64, BigInt(loser)).toString()],
    );
    return [winner!, loser];
  }

  it('is erased with the whole developer, by whichever hash', async () => {
    const keys = await attachLate();
    const known = await new ErasureDesk(world.database.manager).find(late);
    expect(known?.identities).toBe(3);
    expect([...known!.devKeys].sort()).toEqual([...keys].sort());
    await erase(late);
    expect(await registered()).toBe(0);
  });

  it('counts for the winner when it is linked to others', async () => {
    const [winner] = await attachLate();
    const other = createHash('sha256').update('other').digest('hex');
    const [strange] = await registry.resolve([{ developerHash: null, emailHash: other }]);
    const [linked] = await registry.resolve([{ developerHash: late, emailHash: other }]);
    expect(linked).toBe(BigInt(strange!) < BigInt(winner!) ? strange : winner);
    expect(new Set(await registry.resolve([together]))).toEqual(new Set([linked]));
  });
});

describe('a projector that is about to insert rows while their developer is erased', () => {
  async function rowsOfAdaAndAnother() {
    const [key] = await registry.resolve([{ developerHash: ada, emailHash: null }]);
    return [acceptedEvent(null, 0, { devKey: key! }), acceptedEvent(null, 1)].map(
      (event, offset) => ({
        devKey: event.devKey,
        line: toUsageEventRow(event, { partition: 0, offset: BigInt(offset) }),
      }),
    );
  }

  const storeOn = (clickhouse: Clickhouse) =>
    new UsageRowStore(clickhouse, first_version.tables, new ErasureLedger(world.database));
  const storedKeys = async () =>
    (
      await world.clickhouse.rows<{ key: string }>(
        'SELECT DISTINCT toString(dev_key) AS key FROM usage_events_v1',
      )
    ).map(({ key }) => key);

  it('deletes them again', async () => {
    const rows = await rowsOfAdaAndAnother();
    const racing: Clickhouse = interrupted(world.clickhouse, 'insert', () => erase(ada));
    await storeOn(racing).insert(rows);
    expect(await storedKeys()).toEqual([rows[1]!.devKey]);
  });

  it('deletes them when they come again, if it could not at first', async () => {
    const rows = await rowsOfAdaAndAnother();
    const racing: Clickhouse = interrupted(world.clickhouse, 'insert', () => erase(ada));
    const failing = interrupted(racing, 'run', () => Promise.reject(new Error('away')));
    const store = storeOn(failing);
    await expect(store.insert(rows)).rejects.toThrow('away');
    await store.insert(rows);
    expect(await storedKeys()).toEqual([rows[1]!.devKey]);
  });
});
