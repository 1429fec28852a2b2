import { IdentityHasher } from '#domain/usage/identity.js';
import { remember } from '#runtime/remember.js';

const remembered_max = 50_000;

/** Keyed hashes of developer ids and e-mail addresses. */
export interface IdentityHashes {
  readonly developer: (organizationId: string, developerId: string) => string;
  readonly email: (normalisedEmail: string) => string;
}

/**
 * The hashes under `pepper`; those of the latest identities are kept, because the same developers
 * come again and again. Raw identifiers are held in the memory of this process only.
 */
export function identityHashes(pepper: string): IdentityHashes {
  const hasher = new IdentityHasher(pepper);
  const developer = remember(remembered_max, (scoped) => {
    const end = scoped.indexOf(' ');
    return hasher.developer(scoped.slice(0, end), scoped.slice(end + 1));
  });
  return {
    developer: (organizationId, developerId) => developer(`${organizationId} ${developerId}`),
    email: remember(remembered_max, (email) => hasher.email(email)),
  };
}
