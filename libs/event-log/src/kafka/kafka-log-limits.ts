import type { AppendQueueLimits } from '../driver/append-queue.js';

/** Every limit of the Kafka driver. */
export interface KafkaLogLimits extends AppendQueueLimits {
  /** Longest wait for a new connection, in milliseconds. */
  readonly connectMs: number;
  /** Longest wait for one answer of a broker, in milliseconds. */
  readonly answerMs: number;
  /** Largest record that a topic is created for, headers included, before compression. */
  readonly recordBytesMax: number;

  /** Records handed to a handler at once, unless the subscription says otherwise. */
  readonly batchRecordsMax: number;
  /** Bytes fetched of one partition at once (at least one stored batch is). */
  readonly fetchBytesMax: number;
  /** What a broker gathers for a fetch while records flow, before it answers. */
  readonly fetchBytesMin: number;
  /** How long a broker holds a fetch that finds nothing new. */
  readonly fetchWaitMs: number;
  /** The same while records flow or wait for their handler. */
  readonly fetchWaitBusyMs: number;
  /** Pause between two signs of life; a rebalance is noticed within it. */
  readonly heartbeatMs: number;
  /** Silence after which the group gives the partitions of a member to others. */
  readonly sessionTimeoutMs: number;
  /** How long a group waits for its members when partitions are shared out anew. */
  readonly rebalanceTimeoutMs: number;
  /** How long `stop`, or giving a partition up, waits for running handlers. */
  readonly drainMs: number;
  /** First and longest pause after a failed handler run or a failed request. */
  readonly retryMsMin: number;
  readonly retryMsMax: number;
  /** How long a question (a range, a group) is repeated before it fails. */
  readonly questionMs: number;

  /** How long a process may go on with a remembered partition count. */
  readonly topicRefreshMs: number;
  /** How long `ensureTopics` waits until every new partition has a leader. */
  readonly topicReadyMs: number;
  /** Longest wait for a sign of health, and how long the answer is remembered. */
  readonly healthMs: number;
  readonly healthKeptMs: number;
}

export const default_kafka_log_limits: KafkaLogLimits = {
  appendDeadlineMs: 5_000,
  queueRecordsMax: 20_000,
  queueBytesMax: 64 * 1024 * 1024,
  flushRecordsMax: 2_000,
  flushBytesMax: 3 * 1024 * 1024,
  connectMs: 2_000,
  answerMs: 4_000,
  recordBytesMax: 4 * 1024 * 1024,
  batchRecordsMax: 500,
  fetchBytesMax: 2 * 1024 * 1024,
  fetchBytesMin: 64 * 1024,
  fetchWaitMs: 250,
  fetchWaitBusyMs: 20,
  heartbeatMs: 1_000,
  sessionTimeoutMs: 30_000,
  rebalanceTimeoutMs: 30_000,
  drainMs: 10_000,
  retryMsMin: 100,
  retryMsMax: 5_000,
  questionMs: 6_000,
  topicRefreshMs: 30_000,
  topicReadyMs: 15_000,
  healthMs: 2_000,
  healthKeptMs: 1_000,
};
