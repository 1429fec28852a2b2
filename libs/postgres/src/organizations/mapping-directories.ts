import type { MappingDirectory } from '#domain/usage/map-usage-event.js';
import { ExpiringCache } from '#runtime/expiring-cache.js';
import type { DirectoryStore } from './directory-store.js';

const ttl_ms = 10_000;
const organizations_max = 1000;

/** What organizations have registered, remembered for ten seconds. */
export class MappingDirectories {
  private readonly known: ExpiringCache<MappingDirectory | null>;

  constructor(store: DirectoryStore) {
    this.known = new ExpiringCache(
      { ttlMs: ttl_ms, entriesMax: organizations_max },
      (organizationId) => store.mappingDirectory(organizationId),
    );
  }

  /** Null when there is no such organization. */
  get(organizationId: string): Promise<MappingDirectory | null> {
    return this.known.get(organizationId);
  }
}
