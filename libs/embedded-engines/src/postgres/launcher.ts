import { execFile } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { EngineStartError } from '../engine.js';
import { limits } from '../limits.js';
import type { PostgresBinaries } from './binaries.js';

const run = promisify(execFile);

/** How a PostgreSQL program is started on this machine by this user. */
export interface Launcher {
  /** Program and leading arguments that stand before the PostgreSQL program; may be empty. */
  readonly prefix: readonly string[];
  /** User and group to change to, where a system user is needed. */
  readonly identity: { readonly uid?: number; readonly gid?: number };
}

const own_namespace = ['unshare', '--user', '--map-user=1000', '--map-group=1000'];
/** PostgreSQL shuts down when the process that started it is killed (Linux only). */
const with_parent = ['setpriv', '--pdeathsig', 'INT'];
const system_users = ['postgres', 'nobody'];

/**
 * PostgreSQL refuses to run as root. There it gets a user namespace of its own, in which the
 * files stay root's and no folder above them has to let anybody pass; where namespaces are
 * forbidden, a system user has to do.
 * @param paths what that system user would have to reach: the cluster and the binaries.
 * @throws EngineStartError when no way is left.
 */
export async function findLauncher(directory: string, paths: readonly string[]): Promise<Launcher> {
  const ending = (await runs(with_parent)) ? with_parent : [];
  if (process.getuid?.() !== 0) return { prefix: ending, identity: {} };
  const namespaced = [...own_namespace, ...ending];
  if (await runs(namespaced)) return { prefix: namespaced, identity: {} };
  const user = await firstSystemUser();
  if (user !== null && (await everyoneMayPass([directory, ...paths]))) {
    await chown(directory, user.uid, user.gid);
    return { prefix: ending, identity: user };
  }
  throw new EngineStartError(
    'PostgreSQL does not run as root, this machine forbids user namespaces, and the data ' +
      `directory ${directory} is out of reach for another user. ` +
      'Start as an ordinary user, or set DATABASE_URL.',
  );
}

/** The whole command line of a PostgreSQL program, as `spawn` takes it. */
export function postgresCommand(
  launcher: Launcher,
  binaries: PostgresBinaries,
  program: 'initdb' | 'postgres',
  parameters: readonly string[],
): { command: string; rest: string[]; identity: Launcher['identity'] } {
  // A locale of the machine that the binaries do not know would stop them.
  const environment = Object.entries({ ...binaries.environment, LC_ALL: 'C', TZ: 'UTC' });
  const assignments = environment.map(([name, value]) => `${name}=${value}`);
  const [command, ...rest] = [...launcher.prefix, 'env', ...assignments, binaries[program]];
  return { command: command, rest: [...rest, ...parameters], identity: launcher.identity };
}

function runs(prefix: readonly string[]): Promise<boolean> {
  const [program, ...parameters] = prefix;
  return run(program!, [...parameters, 'true'], { timeout: limits.probe_wait_ms }).then(
    () => true,
    () => false,
  );
}

async function firstSystemUser(): Promise<{ uid: number; gid: number } | null> {
  for (const name of system_users) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]);
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
    } catch {
      // No such user; the next one may exist.
    }
  }
  return null;
}

async function everyoneMayPass(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      if (((await stat(folder)).mode & 0o001) === 0) return false;
      if (folder === dirname(folder)) break;
    }
  }
  return true;
}
