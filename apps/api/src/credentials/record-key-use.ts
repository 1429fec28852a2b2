import { KeyUse } from '#postgres/organizations/key-use.js';
import type { TrackingKeyStore } from '#postgres/organizations/tracking-key-store.js';
import type { Logger } from '#runtime/logger.js';
import type { Shutdown } from '#runtime/shutdown.js';

const flush_ms = 60_000;

/** Writes down once a minute, and at the end, which keys were used. */
export function recordKeyUse(store: TrackingKeyStore, logger: Logger, shutdown: Shutdown): KeyUse {
  const use = new KeyUse(store);
  const flush = () =>
    use.flush().catch((error: unknown) => {
      logger.warn({ err: error }, 'the use of keys is written later');
    });
  const timer = setInterval(() => void flush(), flush_ms);
  shutdown.add('key use', async () => {
    clearInterval(timer);
    await flush();
  });
  return use;
}
