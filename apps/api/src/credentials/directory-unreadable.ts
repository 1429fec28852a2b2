import { ProblemError } from '#domain/errors.js';

/**
 * For the `catch` of a read of keys, products or claims: without them nothing can be judged, so the
 * request is refused before anything is stored, and may come again.
 */
export function directoryUnreadable(cause: unknown): never {
  throw new ProblemError(
    'not_ready',
    'The database cannot be read for the moment; nothing was stored.',
    { retryAfterSeconds: 1, cause },
  );
}
