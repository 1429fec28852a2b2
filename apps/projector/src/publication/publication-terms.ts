import type { UptakeConfig } from '#runtime/config.js';
import { durationMs } from '#runtime/duration.js';
import type { PublicationTerms } from './publisher.js';

/** Largest share of one account, in percent, up to which counts are rounded at the normal base. */
const coarse_above_percent = 35;

/** The policy and the interval that the configuration asks for. */
export function publicationTerms(config: UptakeConfig): PublicationTerms {
  return {
    policy: {
      minDevelopers: config.minDevelopers,
      minAccounts: config.minAccounts,
      topAccountPercentMax: config.topAccountPercentMax,
      coarseAbovePercent: coarse_above_percent,
    },
    // The configuration has checked the form of the text.
    intervalMs: durationMs(config.publishInterval) ?? 0,
  };
}
