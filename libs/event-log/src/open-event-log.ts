import type { UptakeConfig } from '#runtime/config.js';
import type { Logger } from '#runtime/logger.js';
import { EmbeddedEventLog } from './embedded/embedded-event-log.js';
import type { EventLog } from './event-log.js';

/**
 * Opens the event log that the configuration asks for; the caller closes it.
 * @throws Error when the configuration names no log that this version can reach.
 */
export async function openEventLog(config: UptakeConfig, logger: Logger): Promise<EventLog> {
  if (config.kafkaBrokers !== undefined) {
    throw new Error('KAFKA_BROKERS is set, but the Kafka driver is not part of this version.');
  }
  if (config.databaseUrl === undefined) {
    throw new Error('DATABASE_URL is not set: the embedded event log needs a PostgreSQL address.');
  }
  const log = new EmbeddedEventLog({
    databaseUrl: config.databaseUrl,
    logger,
    limits: { appendDeadlineMs: config.appendDeadlineMs },
  });
  await log.open();
  return log;
}
