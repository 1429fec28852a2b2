import kafkajs, { type LogEntry, type logLevel } from 'kafkajs';
import type { Logger } from '#runtime/logger.js';

/** Members of kafkajs's lines that say where and why; the others may hold whole requests. */
const shown = ['broker', 'groupId', 'error', 'retryCount', 'correlationId'];

/**
 * Lets kafkajs speak through the logger of the process. What it calls an error is one lost
 * connection or one refused request, which the driver repeats: `debug`. What ends or delays the
 * work is told by the driver itself.
 */
export function toLogCreator(logger: Logger | undefined) {
  return () =>
    ({ namespace, level, log }: LogEntry): void => {
      const fields: Record<string, unknown> = { kafkajs: namespace };
      for (const name of shown) if (log[name] !== undefined) fields[name] = log[name] as unknown;
      logger?.[toLevel(level)](fields, log.message);
    };
}

function toLevel(level: logLevel): 'debug' | 'trace' {
  return level === kafkajs.logLevel.ERROR || level === kafkajs.logLevel.WARN ? 'debug' : 'trace';
}
