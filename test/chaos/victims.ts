import { setTimeout as pause } from 'node:timers/promises';
import { birthOf } from '#embedded-engines/running-process.js';
import { eventually } from '../support/eventually.js';
import type { Installation, LogName, RecordedChild } from './installation.js';

const own_processes = [
  'api',
  'ingest-worker',
  'projector',
  'postgres',
  'clickhouse',
  'parent',
] as const;

/** `parent` is the process that supervises the others, `broker` the one that holds the log. */
export type Victim = (typeof own_processes)[number] | 'broker';

/** Whom chaos kills where the log is this one. */
export function victimsOn(log: LogName): readonly Victim[] {
  switch (log) {
    case 'embedded':
      return own_processes;
    case 'kafka':
      return [...own_processes, 'broker'];
  }
}

const restart_ms_max = 60_000;

/** What has to be seen before the service counts as recovered. */
export interface Killed {
  readonly victim: Victim;
  /** The process that was killed; null for those that nobody supervises. */
  readonly child: RecordedChild | null;
}

/** Kills one process with -9 and waits until it is gone. */
export async function kill(victim: Victim, installation: Installation): Promise<Killed> {
  if (victim === 'parent') {
    await installation.killParent();
    return { victim, child: null };
  }
  if (victim === 'broker') {
    await installation.broker?.kill();
    return { victim, child: null };
  }
  const child = await runningChild(victim, installation);
  process.kill(child.pid, 'SIGKILL');
  await eventually(
    () => birthOf(child.pid),
    (birth) => birth !== child.birth,
  );
  return { victim, child };
}

/**
 * Waits until a new process has taken the place of each that was killed, and the service is ready.
 * A killed broker comes back after `brokerAwayMs`, a killed parent is started again, as its user
 * would; nothing else is done to help.
 */
export async function recover(
  killed: readonly Killed[],
  installation: Installation,
  brokerAwayMs: number,
): Promise<void> {
  if (killed.some(({ victim }) => victim === 'broker')) {
    await pause(brokerAwayMs);
    await installation.broker?.start();
  }
  if (!installation.isRunning()) await installation.start();
  for (const { victim, child } of killed) {
    if (child === null) continue;
    const successor = async () => {
      installation.assertRunning();
      return (await installation.children())[victim]?.birth ?? child.birth;
    };
    await eventually(successor, (birth) => birth !== child.birth, restart_ms_max);
  }
  await installation.ready();
}

/** A recorded process that runs: never another program that has its id by now. */
async function runningChild(victim: Victim, installation: Installation): Promise<RecordedChild> {
  const find = async () => {
    const child = (await installation.children())[victim];
    return child !== undefined && (await birthOf(child.pid)) === child.birth ? child : null;
  };
  const child = await eventually(find, (found) => found !== null, restart_ms_max);
  return child!;
}
