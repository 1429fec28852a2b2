import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
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
 * @throws StartRefusedError when it cannot be made, or while another start holds it.
 */
export async function openDataDirectory(folder: string): Promise<DataDirectory> {
  // Others may pass but not look around: where PostgreSQL needs a system user, it lives below.
  await mkdir(folder, { recursive: true, mode: 0o711 }).catch((error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartRefusedError(
      `The data directory ${folder} cannot be made (${code}). Set DATA_DIR to a folder that can.`,
    );
  });
  const path = await realpath(folder);
  const release = await lockDirectory(join(path, 'lock')).catch((error: unknown) => {
    if (!(error instanceof DirectoryInUseError)) throw error;
    throw new StartRefusedError(
      `The data directory ${path} is in use by the running process ${error.pid}. ` +
        'Stop that one first, or set DATA_DIR to another folder.',
    );
  });
  return {
    path,
    identityPepper: await keptSecret(join(path, 'identity-pepper')),
    file: (name) => join(path, name),
    release,
  };
}
