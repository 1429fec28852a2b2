import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants, getPriority, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

const on_linux = process.platform === 'linux';
const priority = constants.priority.PRIORITY_BELOW_NORMAL;

/**
 * Lets whoever waits for a single answer have the processor first. For what can wait: processes
 * behind the log, the column store, threads that take whole batches. On idle cores nothing changes;
 * of a busy one they get about a tenth beside each busy thread. Nothing gets a higher priority than
 * it had. In a thread it speaks for that thread, which only Linux can do; elsewhere a thread does
 * nothing. Containers share the cores before their processes do: one gives way to another only by
 * its own share, `cpu_shares` in `docker-compose.yml`.
 */
export function giveWay(): void {
  if (!isMainThread && !on_linux) return;
  try {
    if (isMainThread && on_linux) lowerLinuxProcess();
    else lower(0);
  } catch {
    // A sandbox may forbid it. Everything works, and answers come later on busy cores.
  }
}

/** Zero is the thread that asks, or the process where threads have no priority of their own. */
function lower(thread: number): void {
  setPriority(thread, Math.max(getPriority(thread), priority));
}

/** Every thread has a priority of its own, and so has every session where those share the cores. */
function lowerLinuxProcess(): void {
  for (const thread of readdirSync('/proc/self/task')) lower(Number(thread));
  if (leadsSession()) lowerSession();
}

function lowerSession(): void {
  const group = '/proc/self/autogroup';
  const own = Number(/nice (-?\d+)/.exec(readFileSync(group, 'utf8'))?.[1] ?? 0);
  writeFileSync(group, String(Math.max(own, priority)));
}

// Else the session is that of whoever started it, a terminal perhaps.
function leadsSession(): boolean {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const [, , , session] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(session) === process.pid;
}
