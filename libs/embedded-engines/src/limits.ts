/** Every bound of the embedded engines, units last. */
export const limits = {
  /** Longest wait for a first answer; a crash recovery of the whole write-ahead log fits in. */
  start_wait_ms: 120_000,
  /** An orderly stop; what follows is a harder signal. */
  stop_wait_ms: 3_000,
  /** After the harder signal, before SIGKILL. */
  abort_wait_ms: 600,
  /** For what an earlier start left running to come to its end. */
  orphan_wait_ms: 6_000,
  /** Of two processes that want a folder at the same moment, one should get it. */
  lock_attempts_max: 6,
  lock_pause_ms_max: 60,
  /** Trying out whether a program of the machine can be used. */
  probe_wait_ms: 5_000,
  poll_ms: 25,
  /** Memory set aside for the tail of an engine's log, quoted when it does not start. */
  log_tail_lines: 20,
  /** One request to the column store, compressed and decompressed alike. */
  statement_bytes_max: 64 * 1024 * 1024,
  /** Address and headers of a request; as much as ClickHouse itself takes in an address. */
  address_bytes_max: 1024 * 1024,
  /** A statement that runs longer is cut off. */
  statement_seconds_max: 600,
  /** Statements waiting for a session before the next is refused. */
  statements_waiting_max: 256,
  /** Threads of libuv in the column store's process: each running statement holds one. */
  statement_threads: 8,
  reader_sessions: 2,
  /** Longer than any client keeps an idle connection for reuse. */
  keep_alive_ms: 60_000,
} as const;
