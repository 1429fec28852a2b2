/** Bounds of the projector that no operator has to move. */
export const projector_limits = {
  /** Part of `PROJECTION_ROWS_MAX` from which rows are stored without waiting for more. */
  full_enough_divisor: 4,
  /** Published epochs that stay readable in the column store. */
  epochs_kept: 40,
  /** How often open publication requests are looked for, in milliseconds. */
  request_poll_ms: 200,
  /** How often an interval is checked for being over, at most, in milliseconds. */
  due_check_ms_max: 1_000,
  /** Pause after a failed epoch, in milliseconds; doubles up to the second number. */
  retry_ms: 500,
  retry_ms_max: 30_000,
} as const;
