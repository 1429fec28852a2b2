import type { IdentityRegistry } from '#postgres/identities/identity-registry.js';
import type { Logger } from '#runtime/logger.js';

/**
 * Fills the memory of the registry beside the clerk's work, which neither waits for it nor needs
 * it: what is not remembered yet is asked for. Answers with what stops it.
 */
export function recallDevelopers(registry: IdentityRegistry, logger: Logger): () => Promise<void> {
  const stopping = new AbortController();
  const recalling = registry.recall(stopping.signal).then(
    (identities) => logger.info({ identities }, 'known developers are remembered'),
    (error: unknown) => {
      const meaning = 'known developers are not remembered; they are asked for one by one';
      if (!stopping.signal.aborted) logger.warn({ err: error }, meaning);
    },
  );
  return () => {
    stopping.abort();
    return recalling;
  };
}
