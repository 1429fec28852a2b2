import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { credentialShape } from '#domain/credentials/credential.js';
import { startPostgres } from '#embedded-engines/postgres/embedded-postgres.js';
import { createSpecStores, type SpecStores } from '../support/stores.js';
import { runOps, runOpsUnread, type OpsRun } from './ops-run.js';

let stores: SpecStores;

beforeAll(async () => {
  stores = await createSpecStores();
  await done('org', 'create', 'acme', '--name', 'Acme Inc.');
  await done('product', 'create', 'search', '--org', 'acme', '--name', 'Search', '--type', 'api');
});

afterAll(() => stores.drop());

const ops = (...parameters: string[]): Promise<OpsRun> =>
  runOps(parameters, { DATABASE_URL: stores.databaseUrl });

/** Runs with `--json` and expects success. */
async function done(...parameters: string[]): Promise<OpsRun['json']> {
  const { code, err, json } = await ops(...parameters, '--json');
  expect({ code, err }).toEqual({ code: 0, err: '' });
  return json;
}

async function refusal(...parameters: string[]): Promise<unknown[]> {
  const { code, out, json } = await ops(...parameters, '--json');
  expect(out).toBe('');
  const { error } = json as { error: { code: string; message: string } };
  expect(error.message).not.toBe('');
  return [code, error.code];
}

const listed = async (...parameters: string[]) =>
  (await done(...parameters)) as unknown as readonly Record<string, unknown>[];

describe('ops, wrong usage', () => {
  it('ends with code 2 and says what is wrong', async () => {
    expect(await refusal('org', 'create', 'acme')).toEqual([2, 'usage']);
    for (const name of ['', ' ', 'a\u0001b', 'a\nb', 'a\u202eb', 'x'.repeat(201)]) {
      expect(await refusal('org', 'create', 'acme', '--name', name)).toEqual([2, 'usage']);
      if (name.length <= 200) {
        expect(await refusal('campaign', 'create', name, '--org', 'acme')).toEqual([2, 'usage']);
        const cancel = ['operations', 'cancel', crypto.randomUUID(), '--execute', '--by', name];
        expect(await refusal(...cancel)).toEqual([2, 'usage']);
      }
    }
    expect(await refusal('keys', 'rotate', 'no-id')).toEqual([2, 'usage']);
    expect(await refusal('nonsense')).toEqual([2, 'usage']);
    const { code, err } = await ops('org', 'create', 'Not A Slug', '--name', 'x');
    expect(code).toBe(2);
    expect(err).toContain('A slug has');
    expect(await refusal('keys', 'rotate', crypto.randomUUID(), '--overlap', '1 day')).toEqual([
      2,
      'usage',
    ]);
  });

  it('includes a database that is not named', async () => {
    const { code, err } = await runOps(['org', 'list'], {});
    expect(code).toBe(2);
    expect(err).toContain('DATABASE_URL');
    expect(err).toContain('--data-dir');
  });

  it('shows help with examples and ends with code 0', async () => {
    const { code, out } = await runOps(['--help'], {});
    expect(code).toBe(0);
    expect(out).toContain('ops keys create --org acme');
    expect((await runOps(['keys', 'rotate', '--help'], {})).out).toContain('--overlap');
  });
});

describe('ops, what cannot be done', () => {
  it('ends with code 1 and a word for scripts', async () => {
    expect(await refusal('keys', 'create', '--org', 'nobody')).toEqual([
      1,
      'organization_not_found',
    ]);
    expect(await refusal('org', 'create', 'acme', '--name', 'x')).toEqual([1, 'already_exists']);
    expect(await refusal('keys', 'create', '--org', 'acme', '--product', 'none')).toEqual([
      1,
      'product_not_found',
    ]);
    expect(await refusal('keys', 'revoke', crypto.randomUUID())).toEqual([1, 'key_not_found']);
    expect(
      await refusal('product', 'create', 'chat', '--org', 'acme', '--tool', 'no-tool'),
    ).toEqual([1, 'tool_not_found']);
  });

  it('is said of an unreachable database without its password', async () => {
    const url = 'postgres://app:geheim@127.0.0.1:1/app';
    const { code, err } = await runOps(['org', 'list'], { DATABASE_URL: url });
    expect(code).toBe(1);
    expect(err).toContain('ECONNREFUSED');
    expect(err).not.toContain('geheim');
  });
});

describe('ops keys', () => {
  it('prints a new key once and never again', async () => {
    const { keyId, trackingKey } = (await done(
      'keys',
      'create',
      '--org',
      'acme',
      '--product',
      'search',
      '--name',
      'ci',
      '--require-signature',
    )) as { keyId: string; trackingKey: string };
    expect(credentialShape(trackingKey)).toEqual({ kind: 'trackingKey' });
    const keys = await listed('keys', 'list', '--org', 'acme');
    expect(keys.find((key) => key['keyId'] === keyId)).toMatchObject({
      name: 'ci',
      organization: 'acme',
      requireSignature: true,
      state: 'active',
      prefix: trackingKey.slice(0, 10),
      lastUsedAt: null,
    });
    expect(JSON.stringify(keys)).not.toContain(trackingKey);
    const { out } = await ops('keys', 'list');
    expect(out).toContain(keyId);
    expect(out).not.toContain(trackingKey);
  });

  it('says which key it issued when nobody reads it', async () => {
    const env = { DATABASE_URL: stores.databaseUrl };
    const create = ['keys', 'create', '--org', 'acme', '--name', 'unread'];
    const { code, err } = await runOpsUnread(create, env);
    const key = (await listed('keys', 'list', '--org', 'acme')).find(
      ({ name }) => name === 'unread',
    );
    expect([code, err]).toEqual([1, expect.stringContaining(`Key ${String(key!['keyId'])}`)]);
    expect(err).not.toContain('at ');
    expect(await runOpsUnread(['keys', 'list'], env)).toEqual({ code: 0, err: '' });
    expect(await runOpsUnread(['--help'], env)).toEqual({ code: 0, err: '' });
  });

  it('rotates with an overlap, once, and revokes', async () => {
    const { keyId } = await done('keys', 'create', '--org', 'acme', '--name', 'rotating');
    const before = Date.now();
    const rotated = await done('keys', 'rotate', keyId as string, '--overlap', 'PT1H');
    expect(rotated).toMatchObject({ replaces: keyId });
    const overlap = Date.parse(rotated['oldKeyExpiresAt'] as string) - before;
    expect(overlap).toBeGreaterThanOrEqual(3_600_000);
    const keys = await listed('keys', 'list', '--org', 'acme');
    const state = (id: unknown) => keys.find((key) => key['keyId'] === id);
    expect(state(keyId)).toMatchObject({ state: 'expiring', successorId: rotated['keyId'] });
    expect(state(rotated['keyId'])).toMatchObject({ state: 'active', name: 'rotating' });
    expect(await refusal('keys', 'rotate', keyId as string)).toEqual([1, 'key_already_rotated']);
    await done('keys', 'revoke', rotated['keyId'] as string);
    expect(await refusal('keys', 'rotate', rotated['keyId'] as string)).toEqual([1, 'key_revoked']);
  });
});

describe('ops org, product and campaign', () => {
  it('keep own domains in the form in which accounts are compared', async () => {
    await done('org', 'domain', 'add', 'acme', 'WWW.Acme.com');
    await done('org', 'domain', 'add', 'acme', 'acme.com');
    expect(await listed('org', 'domain', 'list', 'acme')).toEqual(['acme.com']);
    expect(await refusal('org', 'domain', 'add', 'acme', 'com')).toEqual([2, 'usage']);
    await done('org', 'domain', 'remove', 'acme', 'acme.com');
    expect(await refusal('org', 'domain', 'remove', 'acme', 'acme.com')).toEqual([
      1,
      'domain_not_found',
    ]);
  });

  it('add to a policy, repeat it without effect, and take it back', async () => {
    const policy = (...options: string[]) =>
      done('product', 'policy', 'search', '--org', 'acme', ...options);
    const both = ['--ignore-event', 'API_CALL', '--ignore-environment', 'Staging'];
    const ignored = [
      { scope: 'event_name', value: 'API_CALL' },
      { scope: 'environment', value: 'staging' },
    ];
    expect(await policy(...both)).toMatchObject({ ignored });
    expect(await policy(...both)).toMatchObject({ ignored });
    expect(await policy('--track-all', '--ignore')).toMatchObject({
      ignored: [{ scope: 'product', value: null }],
    });
    expect(await policy('--track-all')).toMatchObject({ ignored: [] });
  });

  it('register campaigns with a period', async () => {
    const create = ['campaign', 'create', 'spring-2026', '--org', 'acme'];
    expect(await refusal(...create, '--starts', '2026-03-01', '--ends', '2026-02-01')).toEqual([
      2,
      'usage',
    ]);
    await done(...create, '--name', 'Spring', '--starts', '2026-03-01');
    expect(await listed('campaign', 'list', '--org', 'acme')).toMatchObject([
      { campaignId: 'spring-2026', startsAt: '2026-03-01T00:00:00.000Z', endsAt: null },
    ]);
    expect(await refusal(...create)).toEqual([1, 'already_exists']);
  });

  it('link a product to a tool, which is made when its category is given', async () => {
    const options = ['--org', 'acme', '--tool', 'assistant', '--category', 'agents'];
    await done('product', 'create', 'assistant', ...options);
    await done('product', 'create', 'assistant-pro', '--org', 'acme', '--tool', 'assistant');
    const products = await listed('product', 'list', '--org', 'acme');
    const [one, other] = products.filter(({ slug }) => String(slug).startsWith('assistant'));
    expect(one!['toolId']).toBe(other!['toolId']);
    expect(one!['toolId']).not.toBeNull();
    const alone = ['product', 'create', 'alone', '--org', 'acme', '--category', 'agents'];
    expect(await refusal(...alone)).toEqual([2, 'usage']);
  });
});

describe('ops --data-dir', () => {
  it('finds the Postgres of a running start by itself', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'uptake-ops-'));
    const log = (): void => undefined;
    const postgres = await startPostgres({ directory: join(dataDir, 'postgres'), log });
    try {
      const made = await runOps(
        ['org', 'create', 'here', '--name', 'Here', '--data-dir', dataDir],
        {},
      );
      expect(made).toMatchObject({ code: 0, err: '' });
    } finally {
      await postgres.stop();
    }
    const { code, err } = await runOps(['org', 'list', '--data-dir', dataDir], {});
    expect(code).toBe(1);
    expect(err).toContain('npm start');
    await rm(dataDir, { recursive: true, force: true });
  });
});
