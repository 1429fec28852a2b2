import type { CommandFailedError } from './command-failed.js';
import { printableLine } from './printable.js';

/** What a command has to say, for people and for scripts. */
export interface Answer {
  readonly lines: readonly string[];
  /** Printed instead with `--json`. */
  readonly json: object;
  /** What was printed is bad news; the command fails with this after it. */
  readonly failure?: CommandFailedError;
  /** What to do when nobody could read the answer, for one that cannot be had again. */
  readonly unread?: string;
}

/** Rows under their headings in columns as wide as they need to be. */
export function table(
  headings: readonly string[],
  rows: readonly (readonly (string | null)[])[],
): readonly string[] {
  const cells = rows.map((row) =>
    row.map((cell) => (cell === null || cell === '' ? '-' : printableLine(cell))),
  );
  const all = [headings, ...cells];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  return all.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join('  ')
      .trimEnd(),
  );
}

/** ISO 8601 UTC, or null. */
export function instant(at: Date | number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
