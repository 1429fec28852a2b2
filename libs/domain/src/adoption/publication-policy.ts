import { evidence_labels, type EvidenceLabel } from '../evidence.js';
import { insufficientRow, type AdoptionRow, type EvidenceBlock } from './adoption-row.js';
import type { CataloguedTool, ToolCohorts } from './cohort.js';
import { confidenceIn } from './confidence.js';
import type { AdoptionPeriod } from './period.js';
import type { PublicationPolicy } from './policy.js';
import { openCell, type Cell, type PublicationStep } from './publication-step.js';
import { ranked } from './ranking.js';
import { scoreOf, type ScoreInput } from './score.js';
import {
  roundFigures,
  withholdActivated,
  withholdDominated,
  withholdSmall,
} from './suppression.js';

export const publication_policy_version = 'adoption-suppression-v0';

/** The policy, in the order in which it judges a cell. Rounding is last: then no count is exact. */
const steps: readonly PublicationStep[] = [
  withholdSmall,
  withholdDominated,
  withholdActivated,
  roundFigures,
];

/** Whose figures lead a row when several labels are published. */
const leading_order: readonly EvidenceLabel[] = [
  'first_party',
  'public_source',
  'aggregate_benchmark',
  'modelled',
  'sample',
];

/** Everything one period of an epoch is computed from. */
export interface PublicationInput {
  readonly period: AdoptionPeriod;
  readonly tools: readonly CataloguedTool[];
  readonly cohorts: readonly ToolCohorts[];
  /**
   * Share of the days of the period on which the service holds any event, from 0 to 1. Of the
   * service, not of the tool: a single developer must not be able to move a tool's confidence.
   */
  readonly daysCovered: number;
  /** Ranks of the previous epoch by tool id. */
  readonly previousRanks: ReadonlyMap<string, number>;
}

/**
 * The rows of one period, one for every catalogued tool: ranked ones first, then the others by
 * slug. The order of the input plays no part.
 */
export function publishRows(input: PublicationInput, policy: PublicationPolicy): AdoptionRow[] {
  const cellsByTool = new Map<string, Cell[]>();
  for (const cohorts of input.cohorts) {
    const cell = judged(openCell(cohorts, input.period), policy);
    cellsByTool.set(cohorts.toolId, [...(cellsByTool.get(cohorts.toolId) ?? []), cell]);
  }
  const rows = input.tools.map((tool) => unrankedRow(tool, cellsByTool.get(tool.id) ?? [], input));
  return ranked(rows, input.previousRanks);
}

function judged(cell: Cell, policy: PublicationPolicy): Cell {
  return steps.reduce((state, step) => step(state, policy), cell);
}

function unrankedRow(
  tool: CataloguedTool,
  cells: readonly Cell[],
  { period, daysCovered }: PublicationInput,
): AdoptionRow {
  const evidence = evidenceBlocks(cells);
  const leading = leading_order
    .map((label) => evidence.find((block) => block.label === label))
    .find((block) => block !== undefined);
  if (leading?.metrics == null) return insufficientRow(tool);
  const firstParty = evidence.find(({ label }) => label === 'first_party')?.share ?? 0;
  const { missingInputs, ...score } = scoreOf(leading.metrics, period);
  return {
    rank: null,
    tool: { id: tool.id, slug: tool.slug, name: tool.name, categorySlug: tool.categorySlug },
    status: 'published',
    score,
    metrics: leading.metrics,
    trend: null,
    confidence: confidenceIn(leading.metrics, {
      mostlyOtherEvidence: firstParty < 0.5,
      daysMissing: daysCovered < 0.8,
      scoreInputsMissing: missingInputs.length > 0,
    }),
    evidence,
    caveats: caveatsOf(leading, evidence, missingInputs),
  };
}

function evidenceBlocks(cells: readonly Cell[]): EvidenceBlock[] {
  const published = cells
    .flatMap(({ cohorts, metrics }) =>
      metrics === null ? [] : [{ label: cohorts.label, metrics }],
    )
    .sort((a, b) => evidence_labels.indexOf(a.label) - evidence_labels.indexOf(b.label));
  const developers = published.reduce((sum, { metrics }) => sum + metrics.developers.value, 0);
  return published.map(({ label, metrics }) => ({
    label,
    share: Math.round((metrics.developers.value / developers) * 100) / 100,
    metrics,
  }));
}

function caveatsOf(
  leading: EvidenceBlock,
  evidence: readonly EvidenceBlock[],
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
