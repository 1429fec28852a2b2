import { mkdir, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DirectoryInUseError, lockDirectory } from '#embedded-engines/directory-lock.js';
import { keptSecret } from '#embedded-engines/secret-file.js';
import { StartRefusedError } from './start-refused.js';

/** What one standalone installation keeps on disk, held by this process alone. */
export interface DataDirectory {
  readonly path: string;
  readonly identityPepper: string;
  /** Path of something in the directory. */
  file(name: string): string;
  release(): Promise<void>;
}

/**
 * Opens the directory, making it on first use.
 * @throws StartRefusedError when it cannot be made or used, or while another start holds it.
 */
export async function openDataDirectory(folder: string): Promise<DataDirectory> {
  await makeFolder(folder).catch((error: unknown) => refuse(error, folder, 'made'));
  const path = await realpath(folder);
  const release = await lockDirectory(join(path, 'lock')).catch((error: unknown) => {
    if (!(error instanceof DirectoryInUseError)) return refuse(error, path, 'written to');
    throw new StartRefusedError(
      `The data directory ${path} is in use by the running process ${error.pid}. ` +
        'Stop that one first, or set DATA_DIR to another folder.',
    );
  });
  const identityPepper = await keptSecret(join(path, 'identity-pepper')).catch((error: unknown) =>
    refuse(error, path, 'written to'),
  );
  return { path, identityPepper, file: (name) => join(path, name), release };
}

/**
 * Step by step, because Node's own way of making parents never ends where nothing can be made, and
 * names the wrong reason where nothing may be.
 */
async function makeFolder(folder: string): Promise<void> {
  // Others may pass but not look around: where PostgreSQL needs a system user, it lives below.
  const make = () => mkdir(folder, { mode: 0o711 });
  const failure = await make().catch((error: NodeJS.ErrnoException) => error);
  if (failure === undefined) return;
  if (failure.code === 'ENOENT' && dirname(folder) !== folder) {
    await makeFolder(dirname(folder));
    return make().catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
  const isFolder = await stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) throw failure;
}

function refuse(error: unknown, folder: string, what: string): never {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined) throw error;
  throw new StartRefusedError(
    `The data directory ${folder} cannot be ${what} (${code}). Set DATA_DIR to a folder that can.`,
  );
}
