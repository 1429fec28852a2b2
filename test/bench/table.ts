import { reaches, type Bar, type BenchRow } from './bench-row.js';
import { short } from './wording.js';

const columns = ['figure', 'measured', 'baseline', 'ratio', 'bar', 'met', 'next', 'met'] as const;

/** The rows as a table for a terminal, their notes below. */
export function toTable(rows: readonly BenchRow[]): string {
  const cells = [columns, ...rows.map(toCells)];
  const widths = columns.map((_, column) =>
    Math.max(...cells.map((row) => [...row[column]!].length)),
  );
  const lines = cells.map((row) => row.map((cell, at) => cell.padEnd(widths[at]!)).join('  '));
  const rule = widths.map((width) => '─'.repeat(width)).join('  ');
  const notes = rows.flatMap(({ figure, notes }) =>
    notes.length === 0 ? [] : [figure, ...notes.map((note) => `    ${note}`)],
  );
  return [lines[0], rule, ...lines.slice(1), '', ...notes, ''].join('\n');
}

/** The rows as they are, with whether they reach their bars. */
export function toJson(rows: readonly BenchRow[], about: object): string {
  const judged = rows.map((row) => ({
    ...row,
    met: row.bar && reaches(row.value, row.bar, row.bar.now),
    nextMet: row.bar && reaches(row.value, row.bar, row.bar.next),
  }));
  return JSON.stringify({ ...about, rows: judged }, null, 2);
}

function toCells(row: BenchRow): readonly string[] {
  const { figure, measured, baseline, value, unit, bar } = row;
  const ratio = unit === '' || Number.isNaN(value) ? short(value) : `${short(value)} ${unit}`;
  if (bar === null) return [figure, measured, baseline, ratio, '', '', '', ''];
  const limits = [bar.now, bar.next].flatMap((limit) => [
    limit === null ? '' : `${bar.kind === 'at most' ? '≤' : '≥'} ${short(limit)}`,
    verdict(value, bar, limit),
  ]);
  return [figure, measured, baseline, ratio, ...limits];
}

function verdict(value: number, bar: Bar, limit: number | null): string {
  const met = reaches(value, bar, limit);
  return met === null ? '' : met ? 'yes' : 'no';
}
