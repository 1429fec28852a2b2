import { execFile } from 'node:child_process';
import { readFile, readdir, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Whether a process of this id exists, whoever owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * What tells a process from a later one with the same id: the boot and the moment it began.
 * `null` when there is no such process.
 */
export async function birthOf(pid: number): Promise<string | null> {
  if (process.platform === 'linux') {
    try {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
      // The program's name stands in parentheses and may hold spaces; the fields follow it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields[0] === 'Z' || fields[0] === 'X') return null;
      const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
      return `${boot.trim()}/${fields[19]}`;
    } catch {
      return null;
    }
  }
  try {
    const { stdout } = await run('ps', ['-o', 'lstart=', '-p', String(pid)]);
    return stdout.trim() || null;
  } catch {
    return null;
  }
}

/**
 * Ids of the running processes of a PostgreSQL cluster, which all work in its folder (a real
 * path). Where the system does not tell, those that name the folder on their command line.
 */
export async function processesWorkingIn(folder: string): Promise<number[]> {
  if (process.platform !== 'linux') {
    const { stdout } = await run('ps', ['-axo', 'pid=,command=']);
    const lines = stdout.split('\n').filter((line) => line.includes(`-D ${folder}`));
    return lines.map((line) => Number.parseInt(line, 10));
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      const works_in = await readlink(`/proc/${pid}/cwd`).catch(() => null);
      return works_in === folder ? pid : null;
    }),
  );
  return found.filter((pid) => pid !== null);
}
