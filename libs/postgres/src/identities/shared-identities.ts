import type { DeveloperHashes } from './developer-hashes.js';

/** A cache of what any process finds out again; when it is full it begins anew. */
const shared_max = 100_000;

/**
 * Hashes that were refused another link, since their developer has as many already as a person can
 * have: an id such as `anonymous` that every address comes with, or an address of a whole team.
 */
export class SharedIdentities {
  private readonly hashes = new Set<string>();

  add(hashes: Iterable<string>): void {
    for (const hash of hashes) {
      if (this.hashes.size >= shared_max) this.hashes.clear();
      this.hashes.add(hash);
    }
  }

  /** Whom an event speaks of: what is shared says nothing beside what is not. */
  apart(developer: DeveloperHashes): DeveloperHashes {
    const { developerHash, emailHash } = developer;
    if (this.hashes.size === 0 || developerHash === null || emailHash === null) return developer;
    if (this.hashes.has(developerHash)) return { developerHash: null, emailHash };
    return this.hashes.has(emailHash) ? { developerHash, emailHash: null } : developer;
  }
}
