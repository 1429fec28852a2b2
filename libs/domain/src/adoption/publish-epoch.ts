import { insufficientRow, type AdoptionRow } from './adoption-row.js';
import type { CataloguedTool } from './catalogued-tool.js';
import type { PublicationStep } from './cell.js';
import { confidenceIn } from './confidence.js';
import type { EpochFacts, EpochOutcome, SeriesOutcome } from './epoch.js';
import { evidenceBlocks, leadingBlock, type PublishedBlock } from './evidence-blocks.js';
import { judgeSeries, type JudgedSeries } from './judge-series.js';
import { adoption_periods, type AdoptionPeriod } from './period.js';
import type { PublicationPolicy } from './policy.js';
import { ranked } from './ranking.js';
import { scoreOf, type ScoreInput } from './score.js';
import type { SeriesFacts } from './series.js';
import { policy_steps } from './steps/policy-steps.js';

/** Below this share of first-party figures, and of covered days, the confidence falls. */
const first_party_share_min = 0.5;
const days_covered_min = 0.8;

const no_ranks: ReadonlyMap<string, number> = new Map();

/**
 * Publishes an epoch: rows from figures alone, one for every catalogued tool and period, and what
 * the next epoch has to know. The same facts give the same outcome, whatever their order.
 *
 * @throws Error when a difference is missing that `pairsToCompare` names.
 */
export function publishEpoch(
  facts: EpochFacts,
  policy: PublicationPolicy,
  steps: readonly PublicationStep[] = policy_steps,
): EpochOutcome {
  const { epoch, day } = facts;
  const catalogued = new Set(facts.tools.map(({ id }) => id));
  const judged = facts.series.map((series) =>
    catalogued.has(series.toolId)
      ? judgeSeries(series, { epoch, day, policy, steps })
      : unlisted(series),
  );
  const byTool = new Map<string, JudgedSeries[]>();
  for (const one of judged) {
    byTool.set(one.toolId, [...(byTool.get(one.toolId) ?? []), one]);
  }
  const rows = adoption_periods.map((period) => {
    const unranked = facts.tools.map((tool) =>
      rowOf(tool, byTool.get(tool.id) ?? [], { period, facts, policy }),
    );
    return [period, ranked(unranked, facts.previousRanks.get(period) ?? no_ranks)] as const;
  });
  return { rows: new Map(rows), series: judged.map(toOutcome) };
}

/** A tool that left the catalogue shows nothing, yet what it has shown is not forgotten. */
function unlisted({ toolId, label, state }: SeriesFacts): JudgedSeries {
  const figures = { '7d': {}, '30d': {}, '90d': {} };
  return { toolId, label, state: { ...state, shown: [] }, newCohorts: [], cells: [], figures };
}

function toOutcome({ toolId, label, state, newCohorts, cells }: SeriesOutcome): SeriesOutcome {
  return { toolId, label, state, newCohorts, cells };
}

interface RowTerms {
  readonly period: AdoptionPeriod;
  readonly facts: EpochFacts;
  readonly policy: PublicationPolicy;
}

function rowOf(
  tool: CataloguedTool,
  series: readonly JudgedSeries[],
  { period, facts, policy }: RowTerms,
): AdoptionRow {
  const evidence = evidenceBlocks(series, period);
  const leading = leadingBlock(evidence);
  if (leading === null) return insufficientRow(tool);
  const firstParty = evidence.find(({ label }) => label === 'first_party')?.share ?? 0;
  const { score, missingInputs } = scoreOf(leading.metrics, period, policy);
  return {
    rank: null,
    tool: { id: tool.id, slug: tool.slug, name: tool.name, categorySlug: tool.categorySlug },
    status: 'published',
    score,
    metrics: leading.metrics,
    trend: null,
    confidence: confidenceIn(leading.metrics, {
      mostlyOtherEvidence: firstParty < first_party_share_min,
      daysMissing: facts.daysCovered[period] < days_covered_min,
      incident: facts.incident,
      scoreInputsMissing: missingInputs.length > 0,
    }),
    evidence,
    caveats: caveatsOf(leading, evidence, missingInputs),
  };
}

function caveatsOf(
  leading: PublishedBlock,
  evidence: readonly PublishedBlock[],
  missingInputs: readonly ScoreInput[],
): string[] {
  const caveats: string[] = [];
  if (leading.label === 'sample')
    caveats.push('Every figure stands for sample events, not for use.');
  if (evidence.length > 1) {
    caveats.push(`Figures are those of the label ${leading.label}; labels are never added up.`);
  }
  if (missingInputs.length > 0) {
    caveats.push(`The score does without: ${missingInputs.join(', ')}.`);
  }
  return caveats;
}
