import type { EvidenceLabel } from '#domain/evidence.js';

/** A series is a tool's events of one evidence label. */
export interface SeriesName {
  readonly toolId: string;
  readonly label: EvidenceLabel;
}

/** For maps: one text for each series. */
export function seriesKey({ toolId, label }: SeriesName): string {
  return `${toolId} ${label}`;
}
