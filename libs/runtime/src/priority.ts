import { readdirSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';

const on_linux = process.platform === 'linux';

/**
 * Lets whoever waits for a single answer have the processor first. For what can wait: processes
 * behind the log, the column store, threads that take whole batches. On idle cores nothing changes;
 * of a busy one they still get a tenth at least. In a thread it speaks for that thread, which only
 * Linux can do; elsewhere a thread does nothing.
 */
export function giveWay(): void {
  if (!isMainThread && !on_linux) return;
  try {
    for (const thread of isMainThread ? threadsOfProcess() : [0]) {
      setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL);
    }
  } catch {
    // A sandbox may forbid it. Everything works, and answers come later on busy cores.
  }
}

/** Ids that each have a priority; 0 stands for all of the process, on Linux for this thread. */
function threadsOfProcess(): readonly number[] {
  return on_linux ? readdirSync('/proc/self/task').map(Number) : [0];
}
