import type { ConfidenceLevel } from '#domain/adoption/adoption-row.js';

/** What the methodology says of rounding, rung by rung; a spec compares it with the rounding. */
export const rounding_rungs = [
  { from: 1, to: 49, base: 5 },
  { from: 50, to: 249, base: 25 },
  { from: 250, to: 499, base: 50 },
  { from: 500, to: 999, base: 100 },
  { from: 1_000, to: 2_499, base: 250 },
  { from: 2_500, to: 4_999, base: 500 },
  { from: 5_000, to: null, base: 1_000 },
] as const;

/** What published counts a confidence needs before anything lowers it; compared, too. */
export const confidence_floors: readonly {
  readonly level: ConfidenceLevel;
  readonly developers: number;
  readonly accounts: number;
}[] = [
  { level: 'high', developers: 1_000, accounts: 50 },
  { level: 'medium', developers: 200, accounts: 15 },
];

/** A markdown table: `toTable(['a', 'b'], [[1, 2]])`. */
export function toTable(
  header: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const lines = [header, header.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function roundingTable(): string {
  return toTable(
    ['Count', 'Rounded to multiples of'],
    rounding_rungs.map(({ from, to, base }) => [
      to === null ? `${grouped(from)} and more` : `${grouped(from)} to ${grouped(to)}`,
      grouped(base),
    ]),
  );
}

export function confidenceTable(): string {
  return toTable(
    ['Level', 'Published developers', 'Published accounts'],
    [
      ...confidence_floors.map(({ level, developers, accounts }) => [
        `\`${level}\``,
        `${grouped(developers)} or more`,
        `${grouped(accounts)} or more`,
      ]),
      ['`low`', 'fewer', 'or fewer'],
      ['`insufficient`', 'no figures', 'no figures'],
    ],
  );
}

/** With thousands apart: `grouped(5000)` is `5 000`. */
function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ' ');
}
