import { IdentityHasher, type IdentityHashes } from '#domain/usage/identity.js';
import type { TrackingPrincipal } from '#postgres/organizations/directory-store.js';
import type { MappingDirectories } from '#postgres/organizations/mapping-directories.js';
import type { UptakeConfig } from '#runtime/config.js';
import { directoryUnreadable } from '../credentials/directory-unreadable.js';
import type { Reception } from './prepare-event.js';
import { RequestMappings } from './request-mappings.js';

const day_ms = 24 * 60 * 60 * 1000;

/** Gathers what preparing the events of one request needs. */
export class ReceptionDesk {
  private readonly hashes: IdentityHashes;

  constructor(
    private readonly config: UptakeConfig,
    private readonly directories: MappingDirectories,
  ) {
    this.hashes = new IdentityHasher(config.identityPepper);
  }

  async receive(
    principal: TrackingPrincipal,
    request: { readonly storing: boolean; readonly traceparent: string | null },
  ): Promise<Reception> {
    const directory = await this.directories
      .get(principal.organizationId)
      .catch(directoryUnreadable);
    if (directory === null) throw new Error('A tracking key without an organization.');
    const receivedAt = Date.now();
    return {
      principal,
      directory,
      hashes: this.hashes,
      mappings: new RequestMappings(directory, principal.productId, receivedAt),
      receivedAt,
      receivedAtText: new Date(receivedAt).toISOString(),
      ageMsMax: this.config.eventAgeDaysMax * day_ms,
      ...request,
    };
  }
}
