/** Every limit of the embedded driver. */
export interface EmbeddedLogLimits {
  /** Longest an append waits, queue and retries included, in milliseconds. */
  readonly appendDeadlineMs: number;
  /** Longest one statement may run before server and client give it up, in milliseconds. */
  readonly statementMs: number;
  /** Longest wait for a new connection, in milliseconds. */
  readonly connectMs: number;
  /** Connections shared by reads, commits and health checks. */
  readonly connectionsMax: number;
  /** Connections kept for appends, so that readers never delay them. */
  readonly appendConnectionsMax: number;

  /** Records of one topic that wait for an append before callers are pushed back. */
  readonly queueRecordsMax: number;
  readonly queueBytesMax: number;
  /** What shares one round trip; a single larger call travels alone. */
  readonly flushRecordsMax: number;
  readonly flushBytesMax: number;
  /** What shares one row of the log. */
  readonly frameRecordsMax: number;
  readonly frameBytesMax: number;

  /** Records handed to a handler at once, unless the subscription says otherwise. */
  readonly batchRecordsMax: number;
  /** Compressed bytes fetched from one partition at once (at least one frame is). */
  readonly fetchBytesMax: number;
  /** Pause between two looks at members and new records when nothing wakes the member. */
  readonly pollMs: number;
  /** Silence after which the server ends a member's session and frees its partitions. */
  readonly sessionTimeoutMs: number;
  /** How long a subscription tries to win its connection back before `done` rejects. */
  readonly reconnectMs: number;
  /** How long `stop` waits for running handlers. */
  readonly drainMs: number;
  /** First and longest pause after a failed handler run or a lost connection. */
  readonly retryMsMin: number;
  readonly retryMsMax: number;

  /** How long a process may go on with a remembered partition count. */
  readonly topicRefreshMs: number;
  readonly retentionIntervalMs: number;
  /** How long a repeated append is still recognised; far longer than an append can last. */
  readonly tokenKeptMs: number;
  /** Shortest pause between two wake-ups that one process sends. */
  readonly wakeUpMs: number;
}

export const default_embedded_log_limits: EmbeddedLogLimits = {
  appendDeadlineMs: 10_000,
  statementMs: 4_000,
  connectMs: 2_000,
  connectionsMax: 4,
  appendConnectionsMax: 2,
  queueRecordsMax: 20_000,
  queueBytesMax: 64 * 1024 * 1024,
  flushRecordsMax: 4_000,
  flushBytesMax: 8 * 1024 * 1024,
  frameRecordsMax: 1_000,
  frameBytesMax: 1024 * 1024,
  batchRecordsMax: 500,
  fetchBytesMax: 2 * 1024 * 1024,
  pollMs: 500,
  sessionTimeoutMs: 10_000,
  reconnectMs: 60_000,
  drainMs: 10_000,
  retryMsMin: 100,
  retryMsMax: 5_000,
  topicRefreshMs: 30_000,
  retentionIntervalMs: 60_000,
  tokenKeptMs: 15 * 60_000,
  wakeUpMs: 50,
};
