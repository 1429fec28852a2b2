import type { Logger } from '#runtime/logger.js';
import type { LogBatch, SubscribeOptions } from '../event-log.js';
import { backOffMs, pause } from './pause.js';

export interface Delivery {
  /** Fires when the partition is taken away. */
  readonly signal: AbortSignal;
  readonly limits: { readonly retryMsMin: number; readonly retryMsMax: number };
  readonly logger: Logger | undefined;
  /** Resolves when the partition is not paused, or was taken away. */
  readonly whileResumed: () => Promise<void>;
}

/**
 * Runs the handler on one batch until it has done something of it, and answers the offset after
 * that; null when the partition was taken away before. A throw never ends the delivery.
 */
export async function deliver(
  batch: LogBatch,
  options: Pick<SubscribeOptions, 'handler' | 'onHandlerError'>,
  delivery: Delivery,
): Promise<bigint | null> {
  const { signal, limits, whileResumed } = delivery;
  const first = batch.records[0]!.offset;
  const end = batch.records.at(-1)!.offset + 1n;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const outcome = await options.handler(batch, { signal, attempt });
      const next = outcome?.next ?? end;
      if (next < first || next > end) {
        throw new RangeError(`The handler returned next ${next}, outside its batch.`);
      }
      if (next > first) return next;
    } catch (error) {
      reportFailure(error, batch, options, delivery);
    }
    if (signal.aborted) return null;
    await pause(backOffMs(attempt, limits.retryMsMin, limits.retryMsMax), signal);
    await whileResumed();
    if (signal.aborted) return null;
  }
}

function reportFailure(
  error: unknown,
  { topic, partition }: LogBatch,
  { onHandlerError }: Pick<SubscribeOptions, 'onHandlerError'>,
  { logger }: Delivery,
): void {
  const at = { topic, partition };
  try {
    if (onHandlerError !== undefined) onHandlerError(error, at);
    else logger?.warn({ err: error, ...at }, 'a handler failed; it runs again');
  } catch {
    // A reporter that fails must not end the delivery it reports on.
  }
}
