import { LogUnavailableError, OffsetOutOfRangeError, UnknownTopicError } from '../event-log.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';
import { CorruptFrameError } from './frame-codec.js';
import { backOffMs, pause } from '../driver/pause.js';

/** A repeat would meet the same: the records are gone, damaged, or never had a topic. */
function isLasting(error: unknown): boolean {
  return (
    error instanceof OffsetOutOfRangeError ||
    error instanceof CorruptFrameError ||
    error instanceof UnknownTopicError ||
    error instanceof RangeError
  );
}

/**
 * Repeats `work` with back-off while the database is away; null once `signal` fires.
 * @throws LogUnavailableError after `reconnectMs` of failures; lasting errors at once, as they are.
 */
export async function outlast<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  limits: EmbeddedLogLimits,
): Promise<T | null> {
  const startedAt = Date.now();
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (isLasting(error)) throw error;
      if (Date.now() - startedAt > limits.reconnectMs) {
        throw new LogUnavailableError(`no answer for ${limits.reconnectMs} ms`, false, error);
      }
      await pause(backOffMs(attempt, limits.retryMsMin, limits.retryMsMax), signal);
      if (signal.aborted) return null;
    }
  }
}
