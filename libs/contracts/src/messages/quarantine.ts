/** A record that is set aside, with why and where it came from. */
export interface QuarantinedRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

export interface QuarantineReason {
  /** Stable code, such as `undecodable`. */
  readonly reason: string;
  /** The room that set the record aside. */
  readonly stage: 'ingest-worker' | 'projector';
  /** ISO 8601 UTC. */
  readonly failedAt: string;
  readonly appVersion: string;
}

/** The record for the quarantine topic: key and value untouched, the reason in its headers. */
export function toQuarantineRecord(record: QuarantinedRecord, why: QuarantineReason) {
  const attempts = Number(record.headers['quarantine.attempts'] ?? 0) + 1;
  return {
    key: record.key,
    value: record.value,
    headers: {
      ...record.headers,
      'quarantine.reason': why.reason,
      'quarantine.stage': why.stage,
      'quarantine.origin.topic': record.topic,
      'quarantine.origin.partition': String(record.partition),
      'quarantine.origin.offset': String(record.offset),
      'quarantine.attempts': String(attempts),
      'quarantine.failed_at': why.failedAt,
      'quarantine.app_version': why.appVersion,
      'quarantine.replay_count': record.headers['quarantine.replay_count'] ?? '0',
    },
  };
}
