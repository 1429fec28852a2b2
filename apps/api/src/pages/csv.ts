/** A value of a table: null is an empty cell. */
export type CsvCell = string | number | null;

/** What spreadsheets take for the beginning of a formula, also after blanks and in full width. */
const formula_start = /^\s*[=+\-@\uFF0B\uFF0D\uFF1D\uFF20]|^[\t\r\n]/;
const needs_quotes = /[",\r\n]/;

/**
 * CSV of RFC 4180 with a header line. Texts that a spreadsheet would calculate get an apostrophe in
 * front: `=1+1` becomes `'=1+1`. Numbers are written as JSON writes them, negative ones included.
 */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(toCell).join(',')}\r\n`).join('');
}

function toCell(value: CsvCell): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const text = formula_start.test(value) ? `'${value}` : value;
  return needs_quotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
