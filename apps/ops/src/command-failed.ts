/** A command cannot do what it was asked for; the message says why and what to do instead. */
export class CommandFailedError extends Error {
  constructor(
    /** Stable word for scripts. */
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'CommandFailedError';
  }
}
