import type { HistoryCounts } from './history-counts.js';
import type { Violation } from './check-history.js';

const violations_shown_max = 20;

/** The counts of a history, a line each. */
export function countsTable(counts: HistoryCounts): string {
  const lines: readonly (readonly [string, number | string])[] = [
    ['requests', counts.requests],
    ['  without a definite answer', counts.requestsUnanswered],
    ['longest wait for an answer', `${counts.slowestMs} ms`],
    ['attempts', counts.attempts],
    ['  tracked', counts.attemptsTracked],
    ['  refused, by status', tallied(counts.attemptsRefused)],
    ['  uncertain, by cause', tallied(counts.attemptsUncertain)],
    ['idempotency keys', counts.keys],
    ['  acknowledged', counts.acknowledged],
    ['answers duplicate:false', counts.firsts],
    ['answers duplicate:true', counts.duplicates],
    ['events answered 409', counts.conflicts],
    ['committed claims', counts.claims],
    ['records received', counts.received],
    ['  superseded', counts.superseded],
    ['records accepted', counts.accepted],
    ['rows in the column store', counts.rows],
  ];
  return lines.map(([name, value]) => `  ${name.padEnd(28)} ${value}\n`).join('');
}

/** What was violated, by rule, with the first examples; empty when nothing was. */
export function violationLines(violations: readonly Violation[]): string {
  const shown = violations.slice(0, violations_shown_max);
  const rest = violations.length - shown.length;
  return [
    ...shown.map(({ rule, detail }) => `  VIOLATION of "${rule}": ${detail}\n`),
    ...(rest > 0 ? [`  and ${rest} more\n`] : []),
  ].join('');
}

function tallied(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${name}: ${count}`);
  return parts.length === 0 ? 'none' : parts.join(', ');
}
