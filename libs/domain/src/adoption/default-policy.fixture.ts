import type { PublicationPolicy } from './policy.js';

/** The numbers of the design, for specs; the service takes them from its configuration. */
export const default_policy: PublicationPolicy = {
  minDevelopers: 20,
  minAccounts: 5,
  topAccountPercentMax: 50,
  pPercent: 15,
  entryDevelopersExtra: 5,
  minDifferenceDevelopers: 10,
  minDifferenceAccounts: 3,
  gateCohortsMax: 30,
  coarseAbovePercent: 35,
  scoreDevelopersPerAccountMax: 50,
  retentionMinDevelopers: 50,
  retentionMinSide: 10,
};
