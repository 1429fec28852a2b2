import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DirectoryInUseError, lockDirectory } from './directory-lock.js';
import { birthOf } from './running-process.js';
import { temporaryFolder } from './testing/temporary-folder.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let lock: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  lock = join(folder.path, 'deeper', 'lock');
});

afterEach(() => folder.remove());

describe('the lock of a directory', () => {
  it('is refused while its holder runs, and free again afterwards', async () => {
    const unlock = await lockDirectory(lock);
    await expect(lockDirectory(lock)).rejects.toThrow(DirectoryInUseError);
    await expect(lockDirectory(lock)).rejects.toThrow(
      `${join(folder.path, 'deeper')} is in use by the running process ${process.pid}.`,
    );
    await unlock();
    await (
      await lockDirectory(lock)
    )();
    await expect(stat(lock)).rejects.toThrow('ENOENT');
  });

  it('is taken over from a holder that was killed', async () => {
    await (
      await lockDirectory(lock)
    )();
    await writeFile(lock, JSON.stringify({ pid: 2 ** 22 + 1, birth: 'gone' }));
    await lockDirectory(lock);
    expect(JSON.parse(await readFile(lock, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('is taken over when another program has the id of its holder by now', async () => {
    await (
      await lockDirectory(lock)
    )();
    await writeFile(lock, JSON.stringify({ pid: process.ppid, birth: 'an earlier moment' }));
    await lockDirectory(lock);
    expect(JSON.parse(await readFile(lock, 'utf8'))).toMatchObject({ pid: process.pid });
  });

  it('goes to one of many that come at once', async () => {
    await (
      await lockDirectory(lock)
    )();
    await writeFile(lock, 'not even JSON');
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => lockDirectory(lock)));
    const winners = attempts.filter(({ status }) => status === 'fulfilled');
    expect(winners).toHaveLength(1);
  });

  it('tells a process by the moment it began', async () => {
    expect(await birthOf(process.pid)).toBe(await birthOf(process.pid));
    expect(await birthOf(process.ppid)).not.toBe(await birthOf(process.pid));
    expect(await birthOf(2 ** 22 + 1)).toBeNull();
  });
});
