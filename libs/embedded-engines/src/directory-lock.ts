import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
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

interface Holder {
  readonly pid: number;
  readonly birth: string;
}

const attempts_max = 5;

/**
 * Takes a folder for this process alone. A lock whose holder was killed is taken over, also when
 * its process id belongs to another program by now.
 * @returns gives the folder free again.
 * @throws DirectoryInUseError while the holder runs.
 */
export async function lockDirectory(lock: string): Promise<() => Promise<void>> {
  await mkdir(dirname(lock), { recursive: true, mode: 0o700 });
  const own: Holder = { pid: process.pid, birth: (await birthOf(process.pid)) ?? '' };
  const draft = `${lock}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < attempts_max; attempt += 1) {
      if (await linked(draft, lock)) return () => rm(lock, { force: true });
      const text = await readFile(lock, 'utf8').catch(() => null);
      if (text === null) continue;
      const holder = readHolder(text);
      if (holder !== null && (await birthOf(holder.pid)) === holder.birth) {
        throw new DirectoryInUseError(dirname(lock), holder.pid);
      }
      await setAside(lock, text);
    }
    throw new Error(`${lock} keeps changing hands; try again.`);
  } finally {
    await rm(draft, { force: true });
  }
}

/** A hard link appears complete or not at all, so that nobody reads a half-written lock. */
async function linked(draft: string, lock: string): Promise<boolean> {
  try {
    await link(draft, lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Removes the stale lock, and only that one: a rival may have replaced it in the meantime. */
async function setAside(lock: string, stale: string): Promise<void> {
  const aside = `${lock}.stale.${process.pid}`;
  try {
    await rename(lock, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if ((await readFile(aside, 'utf8')) !== stale) await link(aside, lock).catch(() => null);
  await rm(aside, { force: true });
}

function readHolder(text: string): Holder | null {
  try {
    const holder = JSON.parse(text) as Holder;
    return Number.isInteger(holder.pid) && typeof holder.birth === 'string' ? holder : null;
  } catch {
    return null;
  }
}
