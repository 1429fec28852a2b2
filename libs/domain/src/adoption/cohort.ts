import type { EvidenceLabel } from '../evidence.js';

/** Exact counts of one group of developers. Secret: they never leave the policy unrounded. */
export interface CohortCounts {
  /** Distinct developers. */
  readonly developers: number;
  /** Those of them that are known to belong to an account. */
  readonly accountDevelopers: number;
  /** Distinct accounts. */
  readonly accounts: number;
  /** Developers of the largest account. */
  readonly topAccountDevelopers: number;
}

/** What one tool's events of one evidence label say about one period. */
export interface ToolCohorts {
  readonly toolId: string;
  readonly label: EvidenceLabel;
  readonly all: CohortCounts;
  /** Developers with an activation event in the period. */
  readonly activated: CohortCounts;
  /** Developers without one: the complement, which a published part must not give away. */
  readonly notActivated: CohortCounts;
}

/** A tool of the public directory. */
export interface CataloguedTool {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly categorySlug: string;
}
