/** Every bound of the standalone start, units last. */
export const limits = {
  /** An app that does not obey SIGTERM by then is killed; engines are stopped after that. */
  app_stop_wait_ms: 3_000,
  app_kill_wait_ms: 500,
  /** Pause before the first restart of a child; doubled for each further one. */
  restart_pause_ms: 200,
  restart_pause_ms_max: 5_000,
  /** A child that lived this long starts with a clean slate when it ends. */
  restart_forgiven_ms: 30_000,
  /** Restarts in a row after which everything is given up. */
  restarts_in_a_row_max: 12,
  /** For `/readyz` to become 200 after a start. */
  ready_wait_ms: 120_000,
  ready_poll_ms: 100,
  /** For children that a killed parent left behind to come to their end. */
  orphan_wait_ms: 5_000,
  /** The most a batch request takes. */
  demo_batch_events: 500,
  demo_batches_in_flight: 2,
  demo_attempts_max: 20,
  demo_retry_pause_ms: 500,
  request_wait_ms: 30_000,
  /** For the demo to show in the published ranking. */
  ranking_wait_ms: 120_000,
  ranking_poll_ms: 500,
  ranking_rows_shown: 5,
} as const;
