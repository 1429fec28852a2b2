/** A line of a table in markdown. */
export const row = (cells: readonly (string | number)[]): void =>
  void process.stdout.write(`| ${cells.join(' | ')} |\n`);

/** The head of a table whose first column holds names, and the others numbers. */
export function header(cells: readonly string[]): void {
  row(cells);
  row(cells.map((_cell, index) => (index === 0 ? '---' : '---:')));
}

export const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
