import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '../testing/temporary-folder.js';
import { findBinaries } from './binaries.js';

const run = promisify(execFile);
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let native: string;

beforeAll(async () => {
  folder = await temporaryFolder();
  native = join(folder.path, 'package', 'native');
  const installed = dirname(dirname((await findBinaries(folder.path)).postgres));
  await mkdir(native, { recursive: true });
  await cp(installed, native, { recursive: true, verbatimSymlinks: true });
  for (const name of await readdir(join(native, 'lib'))) {
    const file = join(native, 'lib', name);
    if ((await lstat(file)).isSymbolicLink()) await rm(file);
  }
});

afterAll(() => folder.remove());

describe('binaries whose install script did not run', () => {
  it('do not start by themselves', async () => {
    await expect(run(join(native, 'bin', 'initdb'), ['--version'])).rejects.toThrow(/\.so/);
  });

  it('start with the library links that are made beside the database', async () => {
    const { initdb, postgres, environment } = await findBinaries(folder.path, native);
    for (const program of [initdb, postgres]) {
      const { stdout } = await run(program, ['--version'], { env: environment });
      expect(stdout).toContain('(PostgreSQL) 18.');
    }
  });
});
