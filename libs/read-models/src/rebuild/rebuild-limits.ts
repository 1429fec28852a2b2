/** Bounds of building and comparing versions that no operator has to move. */
export const rebuild_limits = {
  /** Records read from the log and inserted at once. */
  step_records_max: 10_000,
  /** Days computed, or compared, while an epoch has to wait. */
  turn_days_max: 31,
  /** Pause between two turns, in milliseconds: an epoch that is waited for gets in between. */
  turn_pause_ms: 300,
  /** Longest wait for an epoch or an erasure that is under way, in milliseconds. */
  turn_wait_ms_max: 600_000,
  /** Longest wait for a version to get to where another one was, in milliseconds. */
  catch_up_ms_max: 60_000,
  catch_up_poll_ms: 200,
  /** Differing keys that a comparison names. */
  keys_max: 100,
  /** How long the version that was live is kept and fed, in milliseconds. */
  retained_ms: 7 * 24 * 60 * 60 * 1000,
} as const;
