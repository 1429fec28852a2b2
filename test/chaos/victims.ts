import { birthOf } from '#embedded-engines/running-process.js';
import { eventually } from '../support/eventually.js';
import type { Installation, RecordedChild } from './installation.js';

/** Whom chaos kills; `parent` is the process that supervises the others. */
export const victims = [
  'api',
  'ingest-worker',
  'projector',
  'postgres',
  'clickhouse',
  'parent',
] as const;

export type Victim = (typeof victims)[number];

const restart_ms_max = 60_000;

/** What has to be seen before the service counts as recovered. */
export interface Killed {
  readonly victim: Victim;
  /** The process that was killed; null for the parent. */
  readonly child: RecordedChild | null;
}

/** Kills one process with -9 and waits until it is gone. */
export async function kill(victim: Victim, installation: Installation): Promise<Killed> {
  if (victim === 'parent') {
    await installation.killParent();
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
 * A killed parent is started again, as its user would; nothing else is done to help.
 */
export async function recover(
  killed: readonly Killed[],
  installation: Installation,
): Promise<void> {
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
