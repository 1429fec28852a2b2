import type { DataSource } from 'typeorm';
import type { MappingDirectory } from '#domain/usage/map-usage-event.js';
import { ExpiringCache } from '#runtime/expiring-cache.js';
import { askByName } from '../named-statement.js';
import type { DirectoryStore } from './directory-store.js';

const ttl_ms = 10_000;
const organizations_max = 1000;

const read_revision = {
  name: 'directory-revision',
  text: 'select revision::text as revision from directory_revision',
};

/**
 * What organizations have registered, remembered for ten seconds, or until `refresh` finds that
 * anything was registered since.
 */
export class MappingDirectories {
  private readonly remembered: ExpiringCache<MappingDirectory | null>;
  private revision: string | null = null;

  constructor(
    private readonly database: DataSource,
    store: DirectoryStore,
  ) {
    this.remembered = new ExpiringCache(
      { ttlMs: ttl_ms, entriesMax: organizations_max },
      (organizationId) => store.mappingDirectory(organizationId),
    );
  }

  /** Null when there is no such organization. */
  get(organizationId: string): Promise<MappingDirectory | null> {
    return this.remembered.get(organizationId);
  }

  /** What is remembered; undefined when nothing is. */
  known(organizationId: string): MappingDirectory | null | undefined {
    return this.remembered.known(organizationId);
  }

  /**
   * Makes sure that what is asked for from now on has everything that was registered before this
   * call. One statement, however many organizations.
   */
  async refresh(): Promise<void> {
    const [row] = await askByName<{ revision: string }>(this.database, read_revision, []);
    if (row!.revision !== this.revision) this.remembered.clear();
    this.revision = row!.revision;
  }
}
