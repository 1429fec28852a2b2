import { QuotaStore } from '#postgres/rate-limits/quota-store.js';
import type { UptakeConfig } from '#runtime/config.js';
import { required } from '#runtime/load-config.js';
import type { Logger } from '#runtime/logger.js';
import type { Shutdown } from '#runtime/shutdown.js';
import { LeaseDesk } from './lease-desk.js';
import { rateLimitPolicies } from './rate-limit-policies.js';
import { RateLimiter } from './rate-limiter.js';

const sweep_ms = 60_000;

/** Opens the limiter of this process, and sweeps windows that are over out of the store. */
export function openRateLimiter(
  config: UptakeConfig,
  logger: Logger,
  shutdown: Shutdown,
): RateLimiter {
  const store = new QuotaStore(required(config, 'databaseUrl'));
  const desk = new LeaseDesk(store, config.identityPepper, logger);
  const sweep = setInterval(() => {
    store.removeExpired().catch((error: unknown) => {
      logger.warn({ err: error }, 'expired quotas could not be removed');
    });
  }, sweep_ms);
  sweep.unref();
  shutdown.add('rate limits', async () => {
    clearInterval(sweep);
    await desk.settled();
    await store.close();
  });
  return new RateLimiter(rateLimitPolicies(config), desk);
}
