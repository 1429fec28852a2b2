import type { PublicationPolicy } from '#domain/adoption/policy.js';

/** What answers say from this process's configuration. */
export class PublicationDefaults {
  constructor(
    /** Shown while no epoch carries its own. */
    readonly policy: PublicationPolicy,
    /** The limit of public reads; what remains of it is in the header fields. */
    readonly rateLimit: object,
  ) {}
}
