import { expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { IdentityHasher } from '#domain/usage/identity.js';
import { startClickHouse } from '#embedded-engines/clickhouse/embedded-clickhouse.js';
import { startPostgres } from '#embedded-engines/postgres/embedded-postgres.js';
import { openDatabase } from '#postgres/database.js';
import { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';

const entry = fileURLToPath(new URL('../../apps/ops/src/main.js', import.meta.url));
const pepper = 'the pepper that a start keeps in its folder';

it('ops erase finds stores and secret of a running start by its data directory', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'uptake-erase-'));
  const log = (): void => undefined;
  await writeFile(join(dataDir, 'identity-pepper'), pepper);
  const [postgres, clickhouse] = await Promise.all([
    startPostgres({ directory: join(dataDir, 'postgres'), log }),
    startClickHouse({ directory: join(dataDir, 'clickhouse'), log }),
  ]);
  const database = await openDatabase({ url: postgres.url, app: 'spec' });
  try {
    const acme = { slug: 'acme', name: 'Acme' };
    const organization = await new DirectoryStore(database).createOrganization(acme);
    const developerHash = new IdentityHasher(pepper).developer(organization, 'ada');
    await new IdentityRegistry(database).resolve([{ developerHash, emailHash: null }]);
    const parameters = ['--data-dir', dataDir, 'erase', '--org', 'acme', '--developer-id-stdin'];
    const child = spawn(process.execPath, [entry, ...parameters, '--json'], {
      env: { PATH: process.env['PATH'] },
    });
    child.stdin.end('ada');
    const [[code], out, err] = await Promise.all([
      once(child, 'exit'),
      text(child.stdout),
      text(child.stderr),
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ executed: false, identities: 1, keys: 1 });
  } finally {
    await database.destroy();
    await Promise.all([postgres.stop(), clickhouse.stop()]);
    await rm(dataDir, { recursive: true, force: true });
  }
});
