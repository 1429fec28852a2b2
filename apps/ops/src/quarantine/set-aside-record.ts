import type { LogRecord, LogRecordInput } from '#event-log/event-log.js';
import type { QuarantinePlace } from '#postgres/quarantine/quarantine-resolutions.js';

/** A record that came back from so many redrives is not sent a further time. */
export const redrives_max = 5;

/** What the headers of a record in quarantine say about it. */
export interface SetAsideRecord {
  readonly record: LogRecord;
  readonly reason: string;
  readonly stage: string;
  readonly failedAt: string | null;
  readonly appVersion: string | null;
  /** Null when a header is missing: then nobody can say where to send it. */
  readonly originTopic: string | null;
  readonly originPlace: string | null;
  /** How often it was redriven before. */
  readonly redrives: number;
}

export function toSetAside(record: LogRecord): SetAsideRecord {
  const { headers } = record;
  const header = (name: string) => headers[`quarantine.${name}`] ?? null;
  const redrives = Number(header('replay_count') ?? 0);
  const originTopic = header('origin.topic');
  return {
    record,
    reason: header('reason') ?? 'unknown',
    stage: header('stage') ?? 'unknown',
    failedAt: header('failed_at'),
    appVersion: header('app_version'),
    originTopic,
    originPlace:
      originTopic === null
        ? null
        : `${originTopic}/${header('origin.partition')}/${header('origin.offset')}`,
    redrives: Number.isInteger(redrives) && redrives >= 0 ? redrives : redrives_max,
  };
}

export function placeOf({ record }: SetAsideRecord): QuarantinePlace {
  const { topic, partition, offset } = record;
  return { topic, partition, offset };
}

/** `topic/partition/offset`, by which commands name a record. */
export function placeText({ topic, partition, offset }: LogRecord): string {
  return `${topic}/${partition}/${offset}`;
}

/**
 * The record as it was before it was set aside, key and value untouched. What is left of its time
 * in quarantine is how often it was redriven, this time included: whoever sets it aside again
 * carries that on.
 */
export function toRedriven({ record, redrives }: SetAsideRecord): LogRecordInput {
  const { key, value, headers } = record;
  const own = Object.entries(headers).filter(([name]) => !name.startsWith('quarantine.'));
  return {
    key,
    value,
    headers: { ...Object.fromEntries(own), 'quarantine.replay_count': String(redrives + 1) },
  };
}
