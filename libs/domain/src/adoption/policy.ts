/** The policy that rows are published under; a change of it starts all series anew. */
export const publication_policy_version = 'adoption-suppression-v1';

/** The numbers of the policy; all of them are configuration, none is built in. */
export interface PublicationPolicy {
  /** Fewest developers of a published cohort. */
  readonly minDevelopers: number;
  /** Fewest accounts of a published cohort. */
  readonly minAccounts: number;
  /** Largest share of the developers with an account that one account may hold, in percent. */
  readonly topAccountPercentMax: number;
  /**
   * p of the p%-rule: all but the two largest accounts must hold at least this share of the
   * largest one, or the second largest could estimate it as closely. Not told to the public.
   */
  readonly pPercent: number;
  /** Developers above the least that a part needs which is not shown yet. */
  readonly entryDevelopersExtra: number;
  /** Fewest developers by which two published cohorts may differ, unless they are the same. */
  readonly minDifferenceDevelopers: number;
  /** Fewest accounts of those developers. */
  readonly minDifferenceAccounts: number;
  /** Published cohorts of each period and part that new ones are compared with. */
  readonly gateCohortsMax: number;
  /** Share of one account, in percent, above which counts are rounded twice as coarsely. */
  readonly coarseAbovePercent: number;
  /** Developers of one account that count in the score, on average over the accounts. */
  readonly scoreDevelopersPerAccountMax: number;
  /** Fewest developers whose return was awaited, for a retention band. */
  readonly retentionMinDevelopers: number;
  /** Fewest of them who returned, and fewest who did not. */
  readonly retentionMinSide: number;
}

/** The policy of a configuration: what is not part of the policy is left out. */
export function publicationPolicyOf(config: PublicationPolicy): PublicationPolicy {
  return {
    minDevelopers: config.minDevelopers,
    minAccounts: config.minAccounts,
    topAccountPercentMax: config.topAccountPercentMax,
    pPercent: config.pPercent,
    entryDevelopersExtra: config.entryDevelopersExtra,
    minDifferenceDevelopers: config.minDifferenceDevelopers,
    minDifferenceAccounts: config.minDifferenceAccounts,
    gateCohortsMax: config.gateCohortsMax,
    coarseAbovePercent: config.coarseAbovePercent,
    scoreDevelopersPerAccountMax: config.scoreDevelopersPerAccountMax,
    retentionMinDevelopers: config.retentionMinDevelopers,
    retentionMinSide: config.retentionMinSide,
  };
}

/** Identifies version and numbers of a policy. */
export function policyFingerprint(policy: PublicationPolicy): string {
  return JSON.stringify([publication_policy_version, publicationPolicyOf(policy)]);
}
