/** Resolves after `ms`, or at once when `signal` fires. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** The pause before try `attempt` (0 is the first repeat): doubling from `min` up to `max`. */
export function backOffMs(attempt: number, min: number, max: number): number {
  return Math.min(max, min * 2 ** Math.min(attempt, 20));
}
