import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../limits.js';
import type { DemoEvent } from './demo-events.js';

interface LoadOptions {
  readonly baseUrl: string;
  readonly trackingKey: string;
  /** Ends the load early, without an error. */
  readonly stopping: AbortSignal;
}

/**
 * Sends the events through the public batch endpoint. What an earlier, interrupted load has sent
 * is answered as a duplicate, so nothing is ever counted twice.
 * @returns whether all of them are stored.
 */
export async function loadDemo(
  events: readonly DemoEvent[],
  options: LoadOptions,
): Promise<boolean> {
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < events.length && !options.stopping.aborted) {
      const batch = events.slice(next, next + limits.demo_batch_events);
      next += limits.demo_batch_events;
      await sendBatch(batch, options);
    }
  };
  await Promise.all(Array.from({ length: limits.demo_batches_in_flight }, sender));
  return !options.stopping.aborted;
}

async function sendBatch(
  batch: readonly DemoEvent[],
  { baseUrl, trackingKey, stopping }: LoadOptions,
): Promise<void> {
  const body = JSON.stringify({ events: batch });
  let failure: unknown;
  for (let attempt = 0; attempt < limits.demo_attempts_max && !stopping.aborted; attempt += 1) {
    try {
      const response = await fetch(`${baseUrl}/api/usage/track/batch`, {
        method: 'POST',
        headers: { authorization: `Bearer ${trackingKey}`, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(limits.request_wait_ms),
      });
      const answer = await response.text();
      if (response.status === 200) return;
      failure = new Error(`The demo was refused: ${response.status} ${answer.slice(0, 500)}`);
      if (response.status < 500 && response.status !== 429) break;
    } catch (error) {
      failure = error;
    }
    // The same keys may be sent again: an event that was stored after all is a duplicate then.
    await pause(limits.demo_retry_pause_ms, null, { signal: stopping }).catch(() => null);
  }
  if (!stopping.aborted) throw failure;
}
