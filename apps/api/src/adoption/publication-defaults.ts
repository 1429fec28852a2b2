import type { PublicationPolicy } from '#domain/adoption/publication-step.js';

/** The policy of this process's configuration, shown while no epoch carries its own. */
export class PublicationDefaults {
  constructor(readonly policy: PublicationPolicy) {}
}
