import { IdentityHasher } from '#domain/usage/identity.js';
import { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import type { Database } from '#postgres/database.js';
import { developerIdOf } from './load/event-template.js';

const chunk = 10_000;

/**
 * Registers the developers that a load names. A stream meets each of them within its first minute
 * or two; without this, windows of seconds would measure little but the registering of strangers.
 */
export async function registerDevelopers(
  database: Database,
  of: { readonly pepper: string; readonly organizationId: string; readonly count: number },
): Promise<void> {
  const registry = new IdentityRegistry(database);
  const hasher = new IdentityHasher(of.pepper);
  for (let first = 0; first < of.count; first += chunk) {
    const size = Math.min(chunk, of.count - first);
    const hashes = Array.from({ length: size }, (_, index) => ({
      developerHash: hasher.developer(of.organizationId, developerIdOf(first + index)),
      emailHash: null,
    }));
    await registry.resolve(hashes);
  }
  await database.query('vacuum analyze');
  // What the registration left to be written must not be written during the first windows.
  await database.query('checkpoint');
}
