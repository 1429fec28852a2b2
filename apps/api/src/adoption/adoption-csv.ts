import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import type { AdoptionPeriod } from '#domain/adoption/period.js';
import type { RoundedCount } from '#domain/adoption/rounding.js';
import type { PublishedEpoch } from '#postgres/publication/published-epochs.js';
import { toCsv, type CsvCell } from '../pages/csv.js';

type Column = readonly [name: string, cell: (row: AdoptionRow) => CsvCell];

/** The three cells of a count, each named by its path in the row of the JSON answer. */
function countColumns(
  name: 'developers' | 'accounts' | 'activatedDevelopers' | 'expansionAccounts',
): readonly Column[] {
  return (['value', 'lower', 'upper'] as const satisfies readonly (keyof RoundedCount)[]).map(
    (edge) => [`metrics.${name}.${edge}`, ({ metrics }) => metrics?.[name]?.[edge] ?? null],
  );
}

const columns: readonly Column[] = [
  ['rank', ({ rank }) => rank],
  ['tool.id', ({ tool }) => tool.id],
  ['tool.slug', ({ tool }) => tool.slug],
  ['tool.name', ({ tool }) => tool.name],
  ['tool.categorySlug', ({ tool }) => tool.categorySlug],
  ['status', ({ status }) => status],
  ['score.value', ({ score }) => score?.value ?? null],
  ['score.version', ({ score }) => score?.version ?? null],
  ...countColumns('developers'),
  ...countColumns('accounts'),
  ...countColumns('activatedDevelopers'),
  ...countColumns('expansionAccounts'),
  ['metrics.retentionD7.band.lower', ({ metrics }) => metrics?.retentionD7?.band.lower ?? null],
  ['metrics.retentionD7.band.upper', ({ metrics }) => metrics?.retentionD7?.band.upper ?? null],
  ['trend.previousEpochRank', ({ trend }) => trend?.previousEpochRank ?? null],
  ['trend.change', ({ trend }) => trend?.change ?? null],
  ['confidence.level', ({ confidence }) => confidence.level],
  ['confidence.reasons', ({ confidence }) => confidence.reasons.join(' ')],
  ['evidence', ({ evidence }) => evidence.map(({ label, share }) => `${label} ${share}`).join(' ')],
  ['caveats', ({ caveats }) => caveats.join(' ')],
];

const snapshot_columns = ['period', 'epoch', 'asOf'];

/** The rows of a page as CSV; each carries the snapshot that it belongs to. */
export function toAdoptionCsv(
  rows: readonly AdoptionRow[],
  period: AdoptionPeriod,
  published: PublishedEpoch | null,
): string {
  const snapshot = [period, published?.epoch ?? null, published?.asOf.toISOString() ?? null];
  return toCsv(
    [...columns.map(([name]) => name), ...snapshot_columns],
    rows.map((row) => [...columns.map(([, cell]) => cell(row)), ...snapshot]),
  );
}

/** The name under which a browser keeps the file: `uptake-adoption-30d-epoch-12.csv`. */
export function csvFileName(period: AdoptionPeriod, published: PublishedEpoch | null): string {
  const epoch = published === null ? '' : `-epoch-${published.epoch}`;
  return `uptake-adoption-${period}${epoch}.csv`;
}
