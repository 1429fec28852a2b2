import { readFile, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { EngineStartError } from '../engine.js';
import { limits } from '../limits.js';
import { birthOf, isAlive, processesWorkingIn } from '../running-process.js';

interface PostmasterFile {
  readonly pid: number;
  /** PostgreSQL's own word: `starting`, `ready`, `stopping`. */
  readonly status: string;
}

/** What `postmaster.pid` in the cluster says, or `null` without one. */
export async function readPostmaster(cluster: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => null);
  if (text === null) return null;
  const lines = text.split('\n');
  return { pid: Number(lines[0]), status: (lines[7] ?? '').trim() };
}

/**
 * Ends what a killed parent left running on this cluster, so that the server which follows is a
 * child that can be watched. Call it only while holding the data directory's lock.
 *
 * PostgreSQL itself refuses to start when the process id in `postmaster.pid` is alive, even if it
 * belongs to an unrelated program by now; such a file is removed, but only after no process
 * works in the cluster any more.
 */
export async function retireOrphans(cluster: string): Promise<void> {
  const folder = await realpath(cluster);
  const left = await readPostmaster(cluster);
  if (left === null) return;
  const workers = await processesWorkingIn(folder);
  if (workers.includes(left.pid)) {
    for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
      signalQuietly(left.pid, signal);
      if (await noneLeft(async () => (await birthOf(left.pid)) !== null)) break;
    }
  }
  if (!(await noneLeft(async () => (await processesWorkingIn(folder)).length > 0))) {
    for (const pid of await processesWorkingIn(folder)) signalQuietly(pid, 'SIGKILL');
    if (!(await noneLeft(async () => (await processesWorkingIn(folder)).length > 0))) {
      throw new EngineStartError(`Processes of an earlier start still work in ${cluster}.`);
    }
  }
  // PostgreSQL takes a dead process that nobody has reaped yet for a living one as well.
  const stale = await readPostmaster(cluster);
  if (stale !== null && isAlive(stale.pid)) {
    await rm(join(cluster, 'postmaster.pid'), { force: true });
  }
}

async function noneLeft(present: () => Promise<boolean>): Promise<boolean> {
  const deadline = Date.now() + limits.orphan_wait_ms;
  while (Date.now() < deadline) {
    if (!(await present())) return true;
    await pause(limits.poll_ms);
  }
  return false;
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended in the meantime, which is what was wanted.
  }
}
