import { setTimeout as pause } from 'node:timers/promises';
import { limits } from './limits.js';

/** Waits until `GET /readyz` is 200; false when that takes too long or `giving_up` says stop. */
export async function becomesReady(baseUrl: string, giving_up: AbortSignal): Promise<boolean> {
  const deadline = Date.now() + limits.ready_wait_ms;
  while (Date.now() < deadline && !giving_up.aborted) {
    try {
      const signal = AbortSignal.timeout(limits.request_wait_ms);
      const response = await fetch(`${baseUrl}/readyz`, { signal });
      await response.arrayBuffer();
      if (response.status === 200) return true;
    } catch {
      // Nobody listens yet.
    }
    await pause(limits.ready_poll_ms, null, { signal: giving_up }).catch(() => null);
  }
  return false;
}
