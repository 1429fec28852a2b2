import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { credentialHash } from '#domain/credentials/credential.js';
import { openDatabase } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { KeyUse } from '#postgres/organizations/key-use.js';
import { registerVendor } from '../support/service.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';

const hour_ms = 3_600_000;

let stores: SpecStores;
let database: Awaited<ReturnType<typeof openDatabase>>;
let directory: DirectoryStore;
let vendor: Awaited<ReturnType<typeof registerVendor>>;

beforeAll(async () => {
  stores = await createSpecStores();
  database = await openDatabase({ url: stores.databaseUrl, app: 'spec' });
  directory = new DirectoryStore(database);
  vendor = await registerVendor(directory);
});

afterAll(async () => {
  await database.destroy();
  await stores.drop();
});

const issue = () =>
  directory.keys.issue({ organizationId: vendor.organizationId, productId: null, name: 'a key' });
const principalOf = (key: string) => directory.findPrincipal(credentialHash(key));
const stored = async (keyId: string) =>
  (await directory.keys.list(vendor.organizationId)).find(({ id }) => id === keyId)!;

describe('a tracking key', () => {
  it('is stored as its SHA-256 only', async () => {
    const { trackingKey } = await issue();
    const rows = await database.query<object[]>('select * from tracking_key');
    expect(JSON.stringify(rows)).not.toContain(trackingKey.slice(10));
    expect(JSON.stringify(await directory.keys.list())).not.toContain('secretHash');
  });

  it('speaks for its organization, and says whether requests must be signed', async () => {
    const { trackingKey, keyId } = await directory.keys.issue({
      organizationId: vendor.organizationId,
      productId: vendor.productId,
      requireSignature: true,
    });
    expect(await principalOf(trackingKey)).toEqual({
      keyId,
      organizationId: vendor.organizationId,
      productId: vendor.productId,
      requireSignature: true,
      expiresAt: null,
    });
  });

  it('stops working when it is revoked, and is revoked once', async () => {
    const { trackingKey, keyId } = await issue();
    expect(await directory.keys.revoke(keyId)).toBe(true);
    expect(await directory.keys.revoke(keyId)).toBe(false);
    expect(await principalOf(trackingKey)).toBeNull();
  });

  it('works beside its successor until the overlap is over', async () => {
    const { trackingKey, keyId } = await issue();
    const now = Date.now();
    const outcome = await directory.keys.rotate(keyId, hour_ms, now);
    if (outcome.kind !== 'rotated') throw new Error(outcome.reason);
    expect(await principalOf(trackingKey)).toMatchObject({ keyId, expiresAt: now + hour_ms });
    expect(await principalOf(outcome.successor.trackingKey)).toMatchObject({
      organizationId: vendor.organizationId,
      productId: null,
      expiresAt: null,
    });
    expect(await stored(outcome.successor.keyId)).toMatchObject({ name: 'a key' });
  });

  it('is no good any more once the overlap is over', async () => {
    const { trackingKey, keyId } = await issue();
    expect(await directory.keys.rotate(keyId, 0, Date.now())).toMatchObject({ kind: 'rotated' });
    expect(await principalOf(trackingKey)).toBeNull();
    const again = await directory.keys.rotate(keyId, hour_ms, Date.now());
    expect(again).toEqual({ kind: 'refused', reason: 'expired' });
  });

  it('gets one successor from many rotations at once', async () => {
    const { keyId } = await issue();
    const rotations = Array.from({ length: 8 }, () =>
      directory.keys.rotate(keyId, hour_ms, Date.now()),
    );
    const outcomes = await Promise.all(rotations);
    const refused = outcomes.filter(({ kind }) => kind === 'refused');
    expect(refused).toEqual(Array(7).fill({ kind: 'refused', reason: 'already_rotated' }));
  });

  it('keeps the latest time at which it was used', async () => {
    const keys = await Promise.all([issue(), issue()]);
    const ids = keys.map(({ keyId }) => keyId);
    const [early, late] = [new Date('2026-05-22T10:00:00Z'), new Date('2026-05-22T10:01:00Z')];
    await directory.keys.markUsed(new Map(ids.map((id) => [id, late.getTime()])));
    await directory.keys.markUsed(new Map(ids.toReversed().map((id) => [id, early.getTime()])));
    for (const id of ids) expect((await stored(id)).lastUsedAt).toEqual(late);
  });

  it('is marked as used once for many uses', async () => {
    const { keyId } = await issue();
    const use = new KeyUse(directory.keys);
    const first = Date.now() - hour_ms;
    for (let count = 0; count < 100; count += 1) use.note(keyId, first + count);
    await use.flush();
    const last = new Date(first + 99);
    expect((await stored(keyId)).lastUsedAt).toEqual(last);
    await use.flush();
    expect((await stored(keyId)).lastUsedAt).toEqual(last);
  });

  it('has the time of its own use, whatever else is written down with it', async () => {
    const keys = await Promise.all([issue(), issue()]);
    const use = new KeyUse(directory.keys);
    const at = new Date('2026-05-22T10:00:00Z').getTime();
    keys.forEach(({ keyId }, index) => use.note(keyId, at + index * hour_ms));
    await use.flush();
    const times = await Promise.all(
      keys.map(async ({ keyId }) => (await stored(keyId)).lastUsedAt),
    );
    expect(times).toEqual([new Date(at), new Date(at + hour_ms)]);
  });
});

describe('the mapping directory of an organization', () => {
  it('holds its policies, campaigns and own domains, and nobody else’s', async () => {
    const { rules } = directory;
    const { organizationId, productId } = vendor;
    const other = await directory.createOrganization({ slug: 'other', name: 'Other' });
    await rules.ignore(productId, 'environment', 'staging');
    await rules.ignore(productId, 'product', null);
    await rules.ignore(productId, 'product', null);
    await rules.addDomain(organizationId, 'acme.example');
    await rules.addDomain(other, 'other.example');
    const startsAt = new Date('2026-03-01T00:00:00Z');
    const id = await rules.createCampaign({
      organizationId,
      slug: 'spring',
      name: 'Spring',
      startsAt,
    });
    await rules.createCampaign({ organizationId: other, slug: 'spring', name: 'Theirs' });
    const found = await directory.mappingDirectory(organizationId);
    const spring = {
      id,
      slug: 'spring',
      name: 'Spring',
      source: null,
      startsAt: startsAt.getTime(),
      endsAt: null,
    };
    expect(found).toMatchObject({
      organizationSlug: 'acme',
      policies: [
        { productId, scope: 'environment', value: 'staging' },
        { productId, scope: 'product', value: null },
      ],
      ownDomains: new Set(['acme.example']),
      campaigns: new Map([
        ['spring', spring],
        [id, spring],
      ]),
    });
    expect(await directory.mappingDirectory(other)).toMatchObject({ policies: [], products: [] });
  });

  it('finds organizations and products by id or slug', async () => {
    const { organizationId, productId } = vendor;
    expect((await directory.findOrganization('acme'))?.id).toBe(organizationId);
    expect((await directory.findOrganization(organizationId.toUpperCase()))?.slug).toBe('acme');
    expect((await directory.findProduct(organizationId, 'code-search'))?.id).toBe(productId);
    expect(await directory.findProduct(productId, 'code-search')).toBeNull();
  });
});
