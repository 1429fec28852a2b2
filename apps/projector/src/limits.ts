/** Bounds of the projector that no operator has to move. */
export const projector_limits = {
  /** Part of `PROJECTION_ROWS_MAX` from which rows are stored without waiting for more. */
  full_enough_divisor: 4,
  /** Published epochs that stay readable in the column store. */
  epochs_kept: 40,
  /** How far back an epoch looks for an incident, in milliseconds. */
  incident_window_ms: 7 * 24 * 60 * 60 * 1000,
  /** Share of the received events that were set aside, above which it was one. */
  incident_share_min: 0.01,
  /** How often open publication requests are looked for, in milliseconds. */
  request_poll_ms: 200,
  /** How often an interval is checked for being over, at most, in milliseconds. */
  due_check_ms_max: 1_000,
  /** How often versions to be fed, or to be fed no more, are looked for, in milliseconds. */
  version_poll_ms: 1_000,
  /** Pause after a failed epoch, in milliseconds; doubles up to the second number. */
  retry_ms: 500,
  retry_ms_max: 30_000,
} as const;
