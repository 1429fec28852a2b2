import { countHistory, type HistoryCounts } from './history-counts.js';
import type { Attempt } from './attempt.js';
import type { History } from './history.js';
import { recordsByKey, type KeyRecord } from './key-record.js';
import type { FoundEvent, FoundHash, StoredState } from './stored-state.js';

/** By then every request has its answer, whatever has been killed. */
export const answer_ms_max = 6_000;

export interface Violation {
  readonly rule: string;
  readonly detail: string;
}

export interface HistoryVerdict {
  readonly counts: HistoryCounts;
  readonly violations: readonly Violation[];
}

interface Evidence {
  readonly records: ReadonlyMap<string, KeyRecord>;
  readonly stored: StoredState;
  readonly rows: ReadonlyMap<string, readonly FoundEvent[]>;
  readonly accepted: ReadonlyMap<string, readonly FoundEvent[]>;
  readonly received: ReadonlyMap<string, readonly (FoundEvent & FoundHash)[]>;
  readonly claims: ReadonlyMap<string, readonly FoundHash[]>;
}

/**
 * Decides whether what the stores hold and what the clients were answered agree: invariants I1 to
 * I5 of the claim protocol, and that nothing acknowledged is lost, doubled or changed.
 * `eventIdOf` gives the only id that a key may have.
 */
export function checkHistory(
  attempts: readonly Attempt[],
  stored: StoredState,
  eventIdOf: (key: string) => string,
): HistoryVerdict {
  const byKey = recordsByKey(attempts);
  const records = new Map([...byKey].map(([key, record]) => [eventIdOf(key), record]));
  const evidence: Evidence = {
    records,
    stored,
    rows: byEventId(stored.rows),
    accepted: byEventId(stored.accepted),
    received: byEventId(stored.received),
    claims: byEventId(stored.claims),
  };
  const violations = [
    ...attempts.flatMap((attempt) => wrongAnswers(attempt)),
    ...[...records].flatMap(([eventId, record]) => [
      ...contradictions(eventId, record),
      ...brokenPromises(eventId, record, evidence),
    ]),
    ...unexplained(evidence),
    ...brokenClaims(evidence),
  ];
  return { counts: countHistory(attempts, byKey, stored), violations };
}

/**
 * Whether the answers to `fresh` agree with each other and with those to the same keys before,
 * whatever is stored: what can be said while the service is still at work.
 */
export function checkAnswers(
  fresh: readonly Attempt[],
  history: History,
  eventIdOf: (key: string) => string,
): readonly Violation[] {
  const records = history.records();
  const keys = new Set(fresh.flatMap(({ events }) => events.map(({ key }) => key)));
  return [
    ...fresh.flatMap((attempt) => wrongAnswers(attempt)),
    ...[...keys].flatMap((key) => contradictions(eventIdOf(key), records.get(key)!)),
  ];
}

/** Answers that are wrong whatever is stored. */
function wrongAnswers(attempt: Attempt): Violation[] {
  const about = `request of ${attempt.events.length}, first key ${attempt.events[0]?.key}`;
  const late = `${Math.round(attempt.ms)} ms, ${attempt.outcome.kind}, ${about}`;
  return [
    ...found(attempt.ms > answer_ms_max, 'every request is answered in time', late),
    ...unfitting(attempt, about),
  ];
}

function unfitting({ events, outcome }: Attempt, about: string): Violation[] {
  const valid = events.every((event) => event.valid);
  switch (outcome.kind) {
    case 'uncertain': {
      const isStatus = /^\d/.test(outcome.why);
      const rule = 'trouble is answered 503 with Retry-After';
      return found(isStatus && outcome.why !== '503', rule, `${outcome.why}, ${about}`);
    }
    case 'tracked':
      return [
        ...found(!valid, 'an invalid event is never tracked', about),
        ...found(outcome.events.length !== events.length, 'every event is answered', about),
      ];
    case 'refused': {
      const fits =
        (outcome.status === 400 && !valid) ||
        (outcome.status === 409 && valid && outcome.conflicts.length > 0);
      return found(!fits, 'a refusal has a cause in the request', `${outcome.status}, ${about}`);
    }
  }
}

/** Answers about one key that cannot all be true. */
function contradictions(eventId: string, record: KeyRecord): Violation[] {
  const { key, possible, acknowledged, conflicting } = record;
  const ids = [...record.eventIds];
  const rivalOf = (content: number) => [...possible].some((other) => other !== content);
  return [
    ...found(record.firsts > 1, 'I5: one answer duplicate:false', `${key}: ${record.firsts}`),
    ...found(acknowledged.size > 1, 'one content per key is acknowledged', `${key}`),
    ...found(
      ids.some((id) => id !== eventId),
      'a key has one event id for ever',
      `${key}: ${ids.join(', ')}`,
    ),
    ...found(
      acknowledged.size > 0 && record.firsts === 0 && record.uncertain === 0,
      'a duplicate repeats something',
      key,
    ),
    ...[...conflicting].flatMap((content) => [
      ...found(acknowledged.has(content), 'a conflict is never acknowledged', `${key} ${content}`),
      ...found(!rivalOf(content), 'a conflict has a rival', `${key} ${content}`),
    ]),
  ];
}

/** What the clients were promised and the stores do not hold. */
function brokenPromises(eventId: string, record: KeyRecord, evidence: Evidence): Violation[] {
  const rows = evidence.rows.get(eventId) ?? [];
  const accepted = evidence.accepted.get(eventId) ?? [];
  const conflict = (event: FoundEvent) =>
    event.content !== null && record.conflicting.has(event.content);
  const always = [
    ...found(rows.length > 1, 'nothing is doubled', `${record.key}: ${rows.length} rows`),
    ...found(rows.some(conflict), 'no payload of a 409 has a row', record.key),
    ...found(accepted.some(conflict), 'no payload of a 409 is accepted', record.key),
    ...found(
      new Set(accepted.map(({ content }) => content)).size > 1,
      'one content per key is accepted',
      record.key,
    ),
  ];
  const [content] = record.acknowledged;
  if (content === undefined) return always;
  const says = (event: FoundEvent) => event.content === content;
  return [
    ...always,
    ...found(rows.length === 0, 'nothing acknowledged is lost', record.key),
    ...found(!rows.every(says), 'the row has the acknowledged content', record.key),
    ...found(!accepted.every(says), 'what is accepted was acknowledged', record.key),
    ...found(
      !evidence.claims.has(eventId),
      'I2: what was acknowledged has a committed claim',
      record.key,
    ),
    ...found(
      !(evidence.received.get(eventId) ?? []).some(says),
      'I2: what was acknowledged is in the log',
      record.key,
    ),
  ];
}

/** Stored things that nobody sent, or that were only ever refused (I4). */
function unexplained({ records, stored }: Evidence): Violation[] {
  const rule = 'I4: what is stored was sent and not refused';
  const events = (where: string, list: readonly FoundEvent[]) =>
    list.flatMap(({ eventId, content }) =>
      found(
        content === null || records.get(eventId)?.possible.has(content) !== true,
        rule,
        `${where} ${eventId} ${content}`,
      ),
    );
  return [
    ...events('row', stored.rows),
    ...events('accepted', stored.accepted),
    ...events('received', stored.received),
    ...stored.claims.flatMap(({ eventId }) =>
      found((records.get(eventId)?.possible.size ?? 0) === 0, rule, `claim ${eventId}`),
    ),
    ...stored.quarantined.flatMap(({ eventId, reason }) =>
      found(
        reason !== 'superseded',
        'only what was superseded is set aside',
        `${eventId} ${reason}`,
      ),
    ),
  ];
}

/** Claims without their event in the log (I1), or whose event was never passed on (I3). */
function brokenClaims({ stored, received, accepted }: Evidence): Violation[] {
  return stored.claims.flatMap(({ eventId, payloadHash }) => {
    const logged = received.get(eventId) ?? [];
    return [
      ...found(
        !logged.some((event) => event.payloadHash === payloadHash),
        'I1: a committed claim has its event in the log',
        eventId,
      ),
      ...found(!accepted.has(eventId), 'I3: a committed claim is accepted', eventId),
    ];
  });
}

function found(broken: boolean, rule: string, detail: string): Violation[] {
  return broken ? [{ rule, detail }] : [];
}

function byEventId<Found extends { readonly eventId: string }>(
  list: readonly Found[],
): ReadonlyMap<string, readonly Found[]> {
  const groups = new Map<string, Found[]>();
  for (const found of list) {
    const group = groups.get(found.eventId);
    if (group === undefined) groups.set(found.eventId, [found]);
    else group.push(found);
  }
  return groups;
}
