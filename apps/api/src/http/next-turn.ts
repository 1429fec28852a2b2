let coming: Promise<void> | null = null;

/**
 * Resolves in the next turn of the event loop, for all who wait in this one. They go on together,
 * step by step, so that what a step needs is in the processor's caches for all but the first.
 */
export function nextTurn(): Promise<void> {
  coming ??= new Promise((resolve) => {
    setImmediate(() => {
      coming = null;
      resolve();
    });
  });
  return coming;
}
