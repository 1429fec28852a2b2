import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DirectoryInUseError, lockDirectory } from './directory-lock.js';
import { birthOf } from './running-process.js';
import { temporaryFolder } from './testing/temporary-folder.js';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let lock: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  lock = join(folder.path, 'deeper', 'lock');
  await mkdir(lock, { recursive: true });
});

afterEach(() => folder.remove());

describe('the lock of a directory', () => {
  it('is refused while its holder runs, and free again afterwards', async () => {
    const unlock = await lockDirectory(lock);
    const attempt = lockDirectory(lock);
    await expect(attempt).rejects.toThrow(DirectoryInUseError);
    await expect(attempt).rejects.toThrow(
      `${join(folder.path, 'deeper')} is in use by the running process ${process.pid}.`,
    );
    await unlock();
    const unlockAgain = await lockDirectory(lock);
    await unlockAgain();
    expect(await readdir(lock)).toEqual([]);
  });

  it('is taken over from a holder that was killed', async () => {
    await writeFile(join(lock, `${2 ** 22 + 1}.0123456789abcdef.a`), '');
    await lockDirectory(lock);
    expect(await readdir(lock)).toEqual([expect.stringMatching(`^${process.pid}\\.`)]);
  });

  it('is taken over when another program has the id of its holder by now', async () => {
    await writeFile(join(lock, `${process.ppid}.0123456789abcdef.a`), '');
    await lockDirectory(lock);
    expect(await readdir(lock)).toEqual([expect.stringMatching(`^${process.pid}\\.`)]);
  });

  it('never goes to two that come at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      await writeFile(join(lock, `${2 ** 22 + 1}.0123456789abcdef.${round}`), '');
      const attempts = await Promise.allSettled([lockDirectory(lock), lockDirectory(lock)]);
      const winners = attempts.filter((attempt) => attempt.status === 'fulfilled');
      expect(winners.length).toBeLessThanOrEqual(1);
      await Promise.all(winners.map(({ value: unlock }) => unlock()));
    }
  });

  it('tells a process by the moment it began', async () => {
    expect(await birthOf(process.pid)).toBe(await birthOf(process.pid));
    expect(await birthOf(process.ppid)).not.toBe(await birthOf(process.pid));
    expect(await birthOf(2 ** 22 + 1)).toBeNull();
  });
});
