import { evidence_labels, type EvidenceLabel } from '../evidence.js';
import type { AdoptionMetrics, EvidenceBlock } from './adoption-row.js';
import type { JudgedSeries, ShownFigures } from './judge-series.js';
import type { AdoptionPeriod } from './period.js';

/** Whose figures lead a row when several labels are published. */
const leading_order: readonly EvidenceLabel[] = [
  'first_party',
  'public_source',
  'aggregate_benchmark',
  'modelled',
  'sample',
];

/** A label with its figures. */
export interface PublishedBlock extends EvidenceBlock {
  readonly metrics: AdoptionMetrics;
}

/** One block for each label of a tool that is published in a period; never added up. */
export function evidenceBlocks(
  series: readonly JudgedSeries[],
  period: AdoptionPeriod,
): PublishedBlock[] {
  const published = series
    .flatMap(({ label, figures }) => {
      const metrics = metricsOf(figures[period]);
      return metrics === null ? [] : [{ label, metrics }];
    })
    .sort((a, b) => evidence_labels.indexOf(a.label) - evidence_labels.indexOf(b.label));
  const developers = published.reduce((sum, { metrics }) => sum + metrics.developers.value, 0);
  return published.map(({ label, metrics }) => ({
    label,
    share: Math.round((metrics.developers.value / developers) * 100) / 100,
    metrics,
  }));
}

/** The block whose figures the row shows, null without one. */
export function leadingBlock(blocks: readonly PublishedBlock[]): PublishedBlock | null {
  return (
    leading_order
      .map((label) => blocks.find((block) => block.label === label))
      .find((block) => block !== undefined) ?? null
  );
}

function metricsOf({ all, activated, expanding, retention }: ShownFigures): AdoptionMetrics | null {
  if (all === undefined) return null;
  const { developers, accounts } = all;
  return {
    developers,
    accounts,
    activatedDevelopers: partOf(activated?.developers, developers),
    expansionAccounts: partOf(expanding?.accounts, accounts),
    retentionD7: retention?.retained == null ? null : { band: retention.retained },
  };
}

/** A part that is carried may be greater than a whole that has shrunk: then it says nothing. */
function partOf<Count extends { readonly value: number }>(
  part: Count | undefined,
  whole: Count,
): Count | null {
  return part === undefined || part.value > whole.value ? null : part;
}
