import { describe, expect, it } from '@jest/globals';
import { checkHistory } from './check-history.js';
import type { Attempt, Outcome } from './attempt.js';
import type { StoredState } from './stored-state.js';

const idOf = (key: string) => `id-${key}`;
const hashOf = (content: number) => `hash-${content}`;

/** One attempt on key `a` alone, unless more is said. */
const attempt = (content: number, outcome: Outcome, more: Partial<Attempt> = {}): Attempt => ({
  request: 1,
  events: [{ key: 'a', content, valid: true }],
  outcome,
  ms: 5,
  ...more,
});
const tracked = (duplicate: boolean, eventId = 'id-a'): Outcome => ({
  kind: 'tracked',
  events: [{ eventId, duplicate }],
});
const conflict: Outcome = { kind: 'refused', status: 409, conflicts: [0] };
const uncertain: Outcome = { kind: 'uncertain', why: '503' };

/** Stores that hold key `a` with these contents, in every place. */
const holding = (...contents: number[]): StoredState => {
  const events = contents.map((content) => ({ eventId: 'id-a', content }));
  const hashed = events.map((event) => ({ ...event, payloadHash: hashOf(event.content) }));
  return {
    claims: hashed.slice(0, 1),
    received: hashed,
    accepted: events,
    quarantined: [],
    rows: events.slice(0, 1),
  };
};
const empty = holding();

const rulesBroken = (attempts: readonly Attempt[], stored: StoredState) => [
  ...new Set(checkHistory(attempts, stored, idOf).violations.map(({ rule }) => rule)),
];

describe('a history that is as it should be', () => {
  it('has no violation, and its counts say what happened', () => {
    const history = [
      attempt(1, uncertain),
      attempt(1, tracked(false)),
      attempt(1, tracked(true), { request: 2 }),
      attempt(2, conflict, { request: 3 }),
      attempt(3, uncertain, { request: 4 }),
    ];
    const { counts, violations } = checkHistory(history, holding(1, 1), idOf);
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({
      requests: 4,
      attempts: 5,
      attemptsTracked: 2,
      attemptsRefused: { '409': 1 },
      attemptsUncertain: { '503': 2 },
      requestsUnanswered: 1,
      keys: 1,
      acknowledged: 1,
      firsts: 1,
      duplicates: 1,
      conflicts: 1,
      rows: 1,
    });
  });

  it('may hold an event of a request whose outcome nobody learned', () => {
    expect(rulesBroken([attempt(1, uncertain)], holding(1))).toEqual([]);
    expect(rulesBroken([attempt(1, uncertain)], empty)).toEqual([]);
  });

  it('may hold the rest of a refused batch when an earlier sending of it was uncertain', () => {
    const events = ['a', 'b'].map((key) => ({ key, content: 1, valid: true }));
    const other = { events: [{ key: 'b', content: 2, valid: true }] };
    const history = [
      attempt(1, uncertain, { events }),
      attempt(2, { kind: 'tracked', events: [{ eventId: 'id-b', duplicate: false }] }, other),
      attempt(1, { kind: 'refused', status: 409, conflicts: [1] }, { events }),
    ];
    const [a, b] = [holding(1), holding(2)];
    const asB = <Found extends object>(list: readonly Found[]) =>
      list.map((found) => ({ ...found, eventId: 'id-b' }));
    const stored: StoredState = {
      claims: [...a.claims, ...asB(b.claims)],
      received: [...a.received, ...asB(b.received)],
      accepted: [...a.accepted, ...asB(b.accepted)],
      quarantined: [{ eventId: 'id-b', reason: 'superseded' }],
      rows: [...a.rows, ...asB(b.rows)],
    };
    expect(rulesBroken(history, stored)).toEqual([]);
  });
});

const acknowledged = [attempt(1, tracked(false))];

describe('stores that broke a promise', () => {
  it.each<[string, StoredState, string]>([
    ['an event without a row', { ...holding(1), rows: [] }, 'nothing acknowledged is lost'],
    [
      'an event with two rows',
      { ...holding(1), rows: [...holding(1).rows, ...holding(1).rows] },
      'nothing is doubled',
    ],
    [
      'a row with another content',
      { ...holding(1), rows: [{ eventId: 'id-a', content: 2 }] },
      'the row has the acknowledged content',
    ],
    [
      'a row whose content cannot be read',
      { ...holding(1), rows: [{ eventId: 'id-a', content: null }] },
      'the row has the acknowledged content',
    ],
    [
      'a second content that was passed on',
      { ...holding(1), accepted: holding(1, 2).accepted },
      'one content per key is accepted',
    ],
    [
      'an acknowledged event without a claim',
      { ...holding(1), claims: [] },
      'I2: what was acknowledged has a committed claim',
    ],
    [
      'an acknowledged event that is not in the log',
      { ...holding(1), received: [] },
      'I2: what was acknowledged is in the log',
    ],
    [
      'a claim whose event is not in the log',
      { ...holding(1), received: [{ eventId: 'id-a', content: 1, payloadHash: 'else' }] },
      'I1: a committed claim has its event in the log',
    ],
    [
      'a claim whose event was not passed on',
      { ...holding(1), accepted: [] },
      'I3: a committed claim is accepted',
    ],
    [
      'a valid event that was set aside',
      { ...holding(1), quarantined: [{ eventId: 'id-a', reason: 'undecodable' }] },
      'only what was superseded is set aside',
    ],
  ])('are found out: %s', (_case, stored, rule) => {
    expect(rulesBroken(acknowledged, stored)).toContain(rule);
  });

  it('are found out: the payload of a 409 in a row and in the log of accepted events', () => {
    const history = [attempt(1, uncertain), attempt(2, uncertain), attempt(2, conflict)];
    expect(rulesBroken(history, holding(2))).toEqual([
      'no payload of a 409 has a row',
      'no payload of a 409 is accepted',
    ]);
  });

  const never = 'I4: what is stored was sent and not refused';
  it.each<[string, readonly Attempt[]]>([
    ['that nobody sent', []],
    ['of a request that was only ever refused', [attempt(1, conflict)]],
    [
      'of a request with an invalid event',
      [
        attempt(1, uncertain, {
          events: [
            { key: 'a', content: 1, valid: true },
            { key: 'b', content: 1, valid: false },
          ],
        }),
      ],
    ],
  ])('are found out: an event %s', (_case, history) => {
    expect(rulesBroken(history, holding(1))).toContain(never);
    expect(rulesBroken(history, { ...empty, claims: holding(1).claims })).toContain(never);
    expect(rulesBroken(history, { ...empty, received: holding(1).received })).toEqual(
      expect.arrayContaining([never]),
    );
  });
});

describe('answers that cannot all be true', () => {
  it.each<[string, readonly Attempt[], string]>([
    [
      'two answers duplicate:false for one key',
      [attempt(1, tracked(false)), attempt(1, tracked(false))],
      'I5: one answer duplicate:false',
    ],
    [
      'two contents acknowledged for one key',
      [attempt(1, tracked(false)), attempt(2, tracked(true))],
      'one content per key is acknowledged',
    ],
    [
      'another event id for the same key',
      [attempt(1, tracked(false)), attempt(1, tracked(true, 'id-else'))],
      'a key has one event id for ever',
    ],
    ['a duplicate of nothing', [attempt(1, tracked(true))], 'a duplicate repeats something'],
    [
      'a conflict with nothing',
      [attempt(1, tracked(false)), attempt(1, conflict)],
      'a conflict has a rival',
    ],
    [
      'a content both acknowledged and refused',
      [attempt(1, tracked(false)), attempt(2, uncertain), attempt(1, conflict)],
      'a conflict is never acknowledged',
    ],
    [
      'a batch of two with one answer',
      [
        attempt(1, tracked(false), {
          events: ['a', 'b'].map((key) => ({ key, content: 1, valid: true })),
        }),
      ],
      'every event is answered',
    ],
    [
      'an invalid event that was tracked',
      [attempt(1, tracked(false), { events: [{ key: 'a', content: 1, valid: false }] })],
      'an invalid event is never tracked',
    ],
    [
      'an answer that came too late',
      [attempt(1, tracked(false), { ms: 6_001 })],
      'every request is answered in time',
    ],
    [
      'trouble that does not say when to come again',
      [...acknowledged, attempt(1, { kind: 'uncertain', why: '503 without Retry-After' })],
      'trouble is answered 503 with Retry-After',
    ],
    [
      'a valid request refused for another reason',
      [...acknowledged, attempt(1, { kind: 'refused', status: 401, conflicts: [] })],
      'a refusal has a cause in the request',
    ],
  ])('are found out: %s', (_case, history, rule) => {
    expect(rulesBroken(history, holding(1))).toContain(rule);
  });
});
