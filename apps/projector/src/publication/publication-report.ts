import type { AdoptionRow } from '#domain/adoption/adoption-row.js';
import { adoption_periods } from '#domain/adoption/period.js';
import { publication_policy_version } from '#domain/adoption/policy.js';
import type { CohortFigures, SeriesState } from '#domain/adoption/series.js';
import type { CataloguedTool } from '#domain/adoption/catalogued-tool.js';
import type {
  PublicationReport,
  ReportedCell,
  ReportedRow,
  RowSummary,
} from '#postgres/publication/publication-report.js';
import type { SnapshotRows } from '#read-models/adoption-rows/snapshot-checksum.js';
import { seriesKey } from '#read-models/published-cohort/series-name.js';
import type { EpochDraft } from './draft-epoch.js';

export interface ReportInput {
  readonly asOf: Date;
  readonly days: readonly string[];
  readonly tools: readonly CataloguedTool[];
  readonly shown: SnapshotRows | null;
}

/** What publishing a draft would change, and which step of the policy decided about each cell. */
export function reportOf(draft: EpochDraft, input: ReportInput): PublicationReport {
  const { asOf, days, tools, shown } = input;
  return {
    epoch: draft.epoch,
    asOf: asOf.toISOString(),
    policyVersion: publication_policy_version,
    days,
    tools: tools.map(({ slug }) => slug),
    cells: cellsOf(draft, new Map(tools.map(({ id, slug }) => [id, slug]))),
    rows: rowsOf(draft, shown),
  };
}

function cellsOf({ outcome, previous }: EpochDraft, slugs: ReadonlyMap<string, string>) {
  const states = new Map(previous.map((series) => [seriesKey(series), series.state]));
  return outcome.series
    .flatMap((series): ReportedCell[] => {
      const { toolId, label, state, cells } = series;
      const before = states.get(seriesKey(series)) ?? null;
      return cells.map((cell) => ({
        tool: slugs.get(toolId) ?? toolId,
        label,
        ...cell,
        before: before && figuresIn(before, cell),
        after: figuresIn(state, cell),
      }));
    })
    .sort((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1));
}

function orderOf({ tool, label }: ReportedCell): string {
  return `${tool} ${label}`;
}

function figuresIn(
  { shown, published }: SeriesState,
  { period, part }: Pick<ReportedCell, 'period' | 'part'>,
): CohortFigures | null {
  const cohort = shown.find((one) => one.period === period && one.part === part)?.cohort;
  return published.find(({ id }) => id === cohort)?.figures ?? null;
}

function rowsOf({ outcome }: EpochDraft, shown: SnapshotRows | null): ReportedRow[] {
  return adoption_periods.flatMap((period) => {
    const before = new Map(shown?.get(period)?.map((row) => [row.tool.slug, row]));
    return (outcome.rows.get(period) ?? [])
      .filter((row) => !isSameRow(before.get(row.tool.slug), row))
      .map((row) => {
        const old = before.get(row.tool.slug);
        const known = old === undefined ? null : summaryOf(old);
        return { tool: row.tool.slug, period, before: known, after: summaryOf(row) };
      });
  });
}

/** The trend alone is no change: it tells of the epoch before. */
function isSameRow(before: AdoptionRow | undefined, after: AdoptionRow): boolean {
  const untrended = (row: AdoptionRow) => JSON.stringify({ ...row, trend: null });
  return before !== undefined && untrended(before) === untrended(after);
}

function summaryOf({ status, rank, score, confidence }: AdoptionRow): RowSummary {
  return { status, rank, score: score?.value ?? null, confidence: confidence.level };
}
