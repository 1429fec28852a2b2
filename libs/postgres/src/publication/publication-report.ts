import type { CellExplanation } from '#domain/adoption/epoch.js';
import type { AdoptionPeriod } from '#domain/adoption/period.js';
import type { CohortFigures } from '#domain/adoption/series.js';
import type { EvidenceLabel } from '#domain/evidence.js';

/** One part of one period of a tool's events of one label. Secret: it holds exact counts. */
export interface ReportedCell extends CellExplanation {
  readonly tool: string;
  readonly label: EvidenceLabel;
  /** What the latest epoch shows; null for nothing. */
  readonly before: CohortFigures | null;
  readonly after: CohortFigures | null;
}

/** A row that would change, as readers see it. */
export interface ReportedRow {
  readonly tool: string;
  readonly period: AdoptionPeriod;
  readonly before: RowSummary | null;
  readonly after: RowSummary;
}

export interface RowSummary {
  readonly status: string;
  readonly rank: number | null;
  readonly score: number | null;
  readonly confidence: string;
}

/** What publishing now would do, for operators only. */
export interface PublicationReport {
  /** The number that the epoch would get. */
  readonly epoch: number;
  readonly asOf: string;
  readonly policyVersion: string;
  /** Days that have got events since the latest epoch. */
  readonly days: readonly string[];
  /** Slugs of the catalogued tools. */
  readonly tools: readonly string[];
  /** By tool, label, period and part. */
  readonly cells: readonly ReportedCell[];
  readonly rows: readonly ReportedRow[];
}
