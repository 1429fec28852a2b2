/** One thing the sender can do so that the next event counts for more. */
export interface NextFix {
  /** Stable word for the kind of fix. */
  readonly code: string;
  /** JSON pointer of the field to send or to change, relative to the event. */
  readonly pointer: string;
  /** What to do, naming the command or the field. */
  readonly message: string;
}
