import { setTimeout as sleep } from 'node:timers/promises';

const look_every_ms = 20;
const patience_ms = 20_000;

/** Waits until `holds`; fails with `sentence` when it does not within the patience of a test. */
export async function eventually(
  sentence: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + patience_ms;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`This never came true: ${sentence}`);
    await sleep(look_every_ms);
  }
}
