import { readdir, readFile } from 'node:fs/promises';

/** CPU time in seconds, by the name of what used it. */
export type CpuReading = Readonly<Record<string, number>>;

/** A look at what some processes have used since they began. */
export type CpuMeter = () => Promise<CpuReading>;

interface ProcessStat {
  readonly pid: number;
  readonly parent: number;
  /** Used by the process itself and by children that have ended. */
  readonly ownSeconds: number;
  readonly reapedSeconds: number;
}

/** Linux shows times in hundredths of a second, whatever the kernel's own clock. */
const ticks_per_second = 100;

/** Processes can be measured only where the kernel shows them as files. */
export const cpu_is_measurable = process.platform === 'linux';

/** CPU time of a process with its threads, its children and whatever it started and reaped. */
export async function treeSeconds(root: number): Promise<number> {
  if (!cpu_is_measurable) return Number.NaN;
  const tree = descendants(root, await allProcesses());
  return sum(tree.map(({ ownSeconds, reapedSeconds }) => ownSeconds + reapedSeconds));
}

/** CPU time of one process with its threads; what has ended counts as nothing. */
export async function secondsOf(pid: number): Promise<number> {
  return (await statOf(pid))?.ownSeconds ?? 0;
}

/** The process that started `pid`. */
export async function parentOf(pid: number): Promise<number | null> {
  return (await statOf(pid))?.parent ?? null;
}

export async function childrenOf(pid: number): Promise<readonly number[]> {
  const all = await allProcesses();
  return all.filter(({ parent }) => parent === pid).map((child) => child.pid);
}

/** What was used between two readings; names that only the later one has began in between. */
export function usedBetween(before: CpuReading, after: CpuReading): CpuReading {
  return Object.fromEntries(
    Object.entries(after).map(([name, seconds]) => [name, seconds - (before[name] ?? 0)]),
  );
}

async function allProcesses(): Promise<readonly ProcessStat[]> {
  if (!cpu_is_measurable) return [];
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const stats = await Promise.all(pids.map((pid) => statOf(pid)));
  return stats.filter((stat) => stat !== null);
}

async function statOf(pid: number): Promise<ProcessStat | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // The second field is a name in parentheses that may hold spaces; fields are counted after it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const seconds = (index: number) => Number(fields[index]) / ticks_per_second;
  return {
    pid,
    parent: Number(fields[1]),
    ownSeconds: seconds(11) + seconds(12),
    reapedSeconds: seconds(13) + seconds(14),
  };
}

function descendants(root: number, all: readonly ProcessStat[]): readonly ProcessStat[] {
  const found = all.filter(({ pid }) => pid === root);
  for (let index = 0; index < found.length; index += 1) {
    found.push(...all.filter(({ parent }) => parent === found[index]!.pid));
  }
  return found;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
