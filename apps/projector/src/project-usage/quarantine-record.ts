import type { LogRecord, LogRecordInput } from '#event-log/event-log.js';

/** Where in the flow the record was set aside. */
const stage = 'project-usage';

/**
 * The record as it goes into the quarantine: key and value untouched, so that it can be sent back
 * after a fix, and headers that say why it is there.
 */
export function toQuarantineRecord(
  record: LogRecord,
  cause: { readonly reason: string; readonly detail: string },
  attempts: number,
  failedAt: Date,
): LogRecordInput {
  return {
    key: record.key,
    value: record.value,
    headers: {
      ...record.headers,
      'quarantine.reason': cause.reason,
      'quarantine.detail': cause.detail,
      'quarantine.stage': stage,
      'quarantine.origin.topic': record.topic,
      'quarantine.origin.partition': String(record.partition),
      'quarantine.origin.offset': String(record.offset),
      'quarantine.attempts': String(attempts + 1),
      'quarantine.failed_at': failedAt.toISOString(),
      'quarantine.replay_count': record.headers['quarantine.replay_count'] ?? '0',
    },
  };
}
