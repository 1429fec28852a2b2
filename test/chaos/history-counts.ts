import type { Attempt } from './attempt.js';
import type { KeyRecord } from './key-record.js';
import type { StoredState } from './stored-state.js';

/** How much was tried and found; events unless the name says otherwise. */
export interface HistoryCounts {
  readonly requests: number;
  readonly attempts: number;
  readonly attemptsTracked: number;
  readonly attemptsRefused: Readonly<Record<string, number>>;
  readonly attemptsUncertain: Readonly<Record<string, number>>;
  /** The longest that a client waited, for an answer or until its connection broke. */
  readonly slowestMs: number;
  /** Requests that never got a definite answer. */
  readonly requestsUnanswered: number;
  readonly keys: number;
  readonly acknowledged: number;
  readonly firsts: number;
  readonly duplicates: number;
  readonly conflicts: number;
  readonly claims: number;
  readonly received: number;
  readonly accepted: number;
  readonly superseded: number;
  readonly rows: number;
}

export function countHistory(
  attempts: readonly Attempt[],
  records: ReadonlyMap<string, KeyRecord>,
  stored: StoredState,
): HistoryCounts {
  const keys = [...records.values()];
  const outcomes = attempts.map(({ outcome }) => outcome);
  const tracked = outcomes.filter((outcome) => outcome.kind === 'tracked');
  const refused = outcomes.filter((outcome) => outcome.kind === 'refused');
  const uncertain = outcomes.filter((outcome) => outcome.kind === 'uncertain');
  const answers = tracked.flatMap(({ events }) => events);
  const last = new Map(attempts.map(({ request, outcome }) => [request, outcome.kind]));
  return {
    requests: last.size,
    attempts: attempts.length,
    attemptsTracked: tracked.length,
    attemptsRefused: tally(refused.map(({ status }) => String(status))),
    attemptsUncertain: tally(uncertain.map(({ why }) => why)),
    slowestMs: slowestOf(attempts),
    requestsUnanswered: [...last.values()].filter((kind) => kind === 'uncertain').length,
    keys: keys.length,
    acknowledged: keys.filter(({ acknowledged }) => acknowledged.size > 0).length,
    firsts: answers.filter(({ duplicate }) => !duplicate).length,
    duplicates: answers.filter(({ duplicate }) => duplicate).length,
    conflicts: refused.reduce((sum, { conflicts }) => sum + conflicts.length, 0),
    claims: stored.claims.length,
    received: stored.received.length,
    accepted: stored.accepted.length,
    superseded: stored.quarantined.length,
    rows: stored.rows.length,
  };
}

export function slowestOf(attempts: readonly Attempt[]): number {
  return Math.round(attempts.reduce((slowest, { ms }) => Math.max(slowest, ms), 0));
}

function tally(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
