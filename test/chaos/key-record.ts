import type { Attempt } from './attempt.js';

/** What the clients know of one idempotency key. */
export interface KeyRecord {
  readonly key: string;
  /** Contents that an attempt may have stored: it was acknowledged, or its outcome is unknown. */
  readonly possible: Set<number>;
  /** Contents that were answered with `tracked: true`. */
  readonly acknowledged: Set<number>;
  /** Contents that were refused because another one is stored. */
  readonly conflicting: Set<number>;
  readonly eventIds: Set<string>;
  /** Answers with `duplicate: false`. */
  firsts: number;
  /** Attempts of unknown outcome. */
  uncertain: number;
}

/** The attempts, gathered by key. A request with an invalid event can store none of its events. */
export function recordsByKey(attempts: readonly Attempt[]): ReadonlyMap<string, KeyRecord> {
  const records = new Map<string, KeyRecord>();
  for (const attempt of attempts) enterAttempt(records, attempt);
  return records;
}

/** Adds what one more attempt tells of its keys. */
export function enterAttempt(records: Map<string, KeyRecord>, attempt: Attempt): void {
  const storable = attempt.events.every(({ valid }) => valid);
  for (const [index, { key, content }] of attempt.events.entries()) {
    const record = records.get(key) ?? emptyRecord(key);
    records.set(key, record);
    enter(record, content, attempt, index, storable);
  }
}

function enter(
  record: KeyRecord,
  content: number,
  { outcome }: Attempt,
  index: number,
  storable: boolean,
): void {
  switch (outcome.kind) {
    case 'tracked': {
      const answer = outcome.events[index];
      if (answer === undefined) return;
      record.possible.add(content);
      record.acknowledged.add(content);
      record.eventIds.add(answer.eventId);
      if (!answer.duplicate) record.firsts += 1;
      return;
    }
    case 'refused':
      if (outcome.conflicts.includes(index)) record.conflicting.add(content);
      return;
    case 'uncertain':
      if (!storable) return;
      record.possible.add(content);
      record.uncertain += 1;
  }
}

function emptyRecord(key: string): KeyRecord {
  return {
    key,
    possible: new Set(),
    acknowledged: new Set(),
    conflicting: new Set(),
    eventIds: new Set(),
    firsts: 0,
    uncertain: 0,
  };
}
