/** The operator stopped a command; the message says how it is continued. */
export class InterruptedError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'InterruptedError';
  }
}

/** The operator stopped an operation between two steps. */
export class OperationInterruptedError extends InterruptedError {
  constructor(
    readonly id: string,
    readonly done: number,
  ) {
    super(
      `Operation ${id} was stopped after ${done}; ` +
        'the same command line with --execute continues it.',
    );
    this.name = 'OperationInterruptedError';
  }
}

/**
 * A signal that fires at the first SIGINT or SIGTERM. The second one ends the process at once,
 * which harms an operation as little as `kill -9` does.
 */
export function stopOnSignals(): { readonly signal: AbortSignal; readonly release: () => void } {
  const controller = new AbortController();
  const release = (): void => {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.removeListener(name, stop);
  };
  const stop = (): void => {
    release();
    controller.abort();
  };
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.on(name, stop);
  return { signal: controller.signal, release };
}
