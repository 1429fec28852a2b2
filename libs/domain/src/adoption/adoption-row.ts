import type { EvidenceLabel } from '../evidence.js';
import type { CataloguedTool } from './catalogued-tool.js';
import type { RetentionBand } from './retention-band.js';
import type { RoundedCount } from './rounding.js';

export const adoption_schema_version = 'service-adoption-v1';

export type AdoptionStatus = 'published' | 'insufficient_data' | 'missing';

/** Rounded figures of one evidence label. */
export interface AdoptionMetrics {
  readonly developers: RoundedCount;
  readonly accounts: RoundedCount;
  /** Null when this part, or the rest without it, is too small to be told apart. */
  readonly activatedDevelopers: RoundedCount | null;
  /** Accounts of developers with an expansion event; null for the same reason. */
  readonly expansionAccounts: RoundedCount | null;
  /** How many came back after seven days, in percent; null when too few could. */
  readonly retentionD7: { readonly band: RetentionBand } | null;
}

/** Figures of one label; labels are never added up. */
export interface EvidenceBlock {
  readonly label: EvidenceLabel;
  /** Of the published developer figures of all labels, from 0 to 1. */
  readonly share: number;
  readonly metrics: AdoptionMetrics | null;
}

export type ConfidenceLevel = 'high' | 'medium' | 'low' | 'insufficient';

export interface Confidence {
  readonly level: ConfidenceLevel;
  readonly label: string;
  /** Stable codes of what lowered it. */
  readonly reasons: readonly string[];
}

export interface Trend {
  readonly previousEpochRank: number;
  /** Places gained since the previous epoch; negative when lost. */
  readonly change: number;
}

/** A tool as a row names it; an unknown tool has nothing but the slug that was asked for. */
export type RowTool =
  | CataloguedTool
  | { readonly id: null; readonly slug: string; readonly name: null; readonly categorySlug: null };

/** One row of the public adoption reads. */
export interface AdoptionRow {
  readonly rank: number | null;
  readonly tool: RowTool;
  readonly status: AdoptionStatus;
  readonly score: { readonly value: number; readonly version: string } | null;
  readonly metrics: AdoptionMetrics | null;
  readonly trend: Trend | null;
  readonly confidence: Confidence;
  readonly evidence: readonly EvidenceBlock[];
  readonly caveats: readonly string[];
}

const without_figures = { rank: null, score: null, metrics: null, trend: null } as const;

const not_proof = 'A row without figures is no proof that the tool is not used.';

/**
 * The row of a catalogued tool that is not published. It is the same whatever the reason, zero
 * events included, so that nobody learns from it how close a tool came.
 */
export function insufficientRow({ id, slug, name, categorySlug }: CataloguedTool): AdoptionRow {
  return {
    ...without_figures,
    tool: { id, slug, name, categorySlug },
    status: 'insufficient_data',
    confidence: {
      level: 'insufficient',
      label: 'Insufficient data',
      reasons: ['below_publication_rules'],
    },
    evidence: [],
    caveats: [not_proof],
  };
}

/** The row of a slug that no catalogued tool has. */
export function missingRow(slug: string): AdoptionRow {
  return {
    ...without_figures,
    tool: { id: null, slug, name: null, categorySlug: null },
    status: 'missing',
    confidence: { level: 'insufficient', label: 'Insufficient data', reasons: ['unknown_tool'] },
    evidence: [{ label: 'missing', share: 1, metrics: null }],
    caveats: ['The directory does not list this tool.', not_proof],
  };
}
