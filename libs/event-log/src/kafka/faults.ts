import {
  GroupActiveError,
  LogBackpressureError,
  LogUnavailableError,
  OffsetOutOfRangeError,
  UnknownTopicError,
} from '../event-log.js';

/** A broker did not answer in time; what it was asked may or may not have been done. */
export class AnswerTimeoutError extends Error {
  constructor(ms: number) {
    super(`no answer within ${ms} ms`);
    this.name = 'AnswerTimeoutError';
  }
}

/** Kafka's name of a failure, such as `NOT_LEADER_FOR_PARTITION`, wherever kafkajs wrapped it. */
export function faultType(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { type } = at as { readonly type?: unknown };
    if (typeof type === 'string') return type;
    const { errors } = at as { readonly errors?: readonly unknown[] };
    if (errors?.[0] !== undefined) return faultType(errors[0]);
  }
  return '';
}

/** Whether the broker answered with a refusal, so that nothing is in doubt. */
export function isRefusal(error: unknown): boolean {
  return faultType(error) !== '';
}

/** Kafka's names for a cluster that is not ready yet, or whose leaders have just moved. */
const passing_types = new Set([
  'LEADER_NOT_AVAILABLE',
  'NOT_LEADER_FOR_PARTITION',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'OFFSET_NOT_AVAILABLE',
  'REPLICA_NOT_AVAILABLE',
  'REQUEST_TIMED_OUT',
  'NETWORK_EXCEPTION',
  'BROKER_NOT_AVAILABLE',
  'NOT_CONTROLLER',
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'NOT_ENOUGH_REPLICAS',
  'NOT_ENOUGH_REPLICAS_AFTER_APPEND',
  'KAFKA_STORAGE_ERROR',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'CONCURRENT_TRANSACTIONS',
  'CORRUPT_MESSAGE',
  'ILLEGAL_SASL_STATE',
]);

/** Whether the same request may succeed later: refusals of a moment, and everything unanswered. */
export function isPassing(error: unknown): boolean {
  if (isPortError(error) || error instanceof RangeError || isDefect(error)) return false;
  const type = faultType(error);
  if (type !== '') return passing_types.has(type);
  const { name } = error as { readonly name?: unknown };
  return name !== 'KafkaJSSASLAuthenticationError' && name !== 'KafkaJSNotImplemented';
}

/** A mistake in this program; repeating it helps nobody. */
function isDefect(error: unknown): boolean {
  return (
    error instanceof TypeError || error instanceof ReferenceError || error instanceof SyntaxError
  );
}

function isPortError(error: unknown): boolean {
  return (
    error instanceof GroupActiveError ||
    error instanceof LogBackpressureError ||
    error instanceof LogUnavailableError ||
    error instanceof OffsetOutOfRangeError ||
    error instanceof UnknownTopicError
  );
}

/** The port's own errors stay as they are; what Kafka and the network say becomes one of them. */
export function toPortError(error: unknown): unknown {
  if (isPortError(error) || error instanceof RangeError || isDefect(error)) return error;
  return new LogUnavailableError(reason(error), false, error);
}

export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
