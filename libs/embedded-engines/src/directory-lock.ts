import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from './limits.js';
import { birthOf } from './running-process.js';

/** The folder is in use by another running process. */
export class DirectoryInUseError extends Error {
  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(`${directory} is in use by the running process ${pid}.`);
    this.name = 'DirectoryInUseError';
  }
}

/**
 * Takes the folder around `lock` for this process alone. A holder that was killed is no obstacle,
 * also when its process id belongs to another program by now.
 *
 * Everyone who wants the folder first leaves a mark in `lock` and then looks for marks of others
 * that live: of two, the later one is sure to see the earlier, so both can never go ahead. Who
 * sees another takes the mark back and tries again a little later, or gives up.
 * @returns gives the folder free again.
 * @throws DirectoryInUseError while the holder runs.
 */
export async function lockDirectory(lock: string): Promise<() => Promise<void>> {
  await mkdir(lock, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });
  const own = `${process.pid}.${await lifeOf(process.pid)}.${randomUUID()}`;
  const release = (): Promise<void> => rm(join(lock, own), { force: true });
  let rival = 0;
  for (let attempt = 0; attempt < limits.lock_attempts_max; attempt += 1) {
    await writeFile(join(lock, own), '', { flag: 'wx', mode: 0o600 });
    const living = await livingRival(lock, own);
    if (living === null) return release;
    rival = living;
    await release();
    await pause(Math.random() * limits.lock_pause_ms_max);
  }
  throw new DirectoryInUseError(dirname(lock), rival);
}

/** Process id of another holder that runs; marks of those that do not are removed. */
async function livingRival(lock: string, own: string): Promise<number | null> {
  for (const name of await readdir(lock)) {
    const [pid, life] = name.split('.');
    if (name === own || life === undefined) continue;
    if ((await lifeOf(Number(pid))) === life) return Number(pid);
    await rm(join(lock, name), { force: true });
  }
  return null;
}

/** A short name for one life of a process id; `none` when no process has it. */
async function lifeOf(pid: number): Promise<string> {
  const birth = await birthOf(pid);
  if (birth === null) return 'none';
  return createHash('sha256').update(birth).digest('hex').slice(0, 16);
}
