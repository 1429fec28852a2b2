import { publicationPolicyOf } from '#domain/adoption/policy.js';
import type { UptakeConfig } from '#runtime/config.js';
import { durationMs } from '#runtime/duration.js';
import type { PublicationTerms } from './publisher.js';

/** The policy and the interval that the configuration asks for. */
export function publicationTerms(config: UptakeConfig): PublicationTerms {
  return {
    policy: publicationPolicyOf(config),
    // The configuration has checked the form of the text.
    intervalMs: durationMs(config.publishInterval) ?? 0,
  };
}
