import type { UptakeConfig } from './config.js';
import { letHeapsGrow } from './heap-growth.js';
import { InvalidConfigError, loadConfig } from './load-config.js';
import { createLogger, type Logger } from './logger.js';
import { giveWay } from './priority.js';
import { Shutdown } from './shutdown.js';

/** The argument by which a supervisor tells an app that it sees to its end. */
export const supervised_argument = '--supervised';

/** What an app does to start; whatever it opened it adds to `shutdown` at once. */
export type StartApp = (
  config: UptakeConfig,
  logger: Logger,
  shutdown: Shutdown,
) => Promise<{
  /** Where the app can be reached, if it listens. */
  readonly baseUrl?: string;
  /** Rejects when the app cannot go on; the process then ends with code 1. */
  readonly done?: Promise<void>;
}>;

/**
 * The life of a process: read the configuration, start, run until a signal, the loss of the parent
 * process or a fatal error, and stop in reverse order. Exit code 0 after an orderly stop, 1 after
 * a failure, 2 when the configuration is wrong.
 */
export async function runApp(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  start: StartApp,
): Promise<void> {
  // The API answers whoever waits; the others work through what is in the log.
  if (name !== 'api') giveWay();
  letHeapsGrow(name);
  const config = configOrExit(env);
  const logger = createLogger(name, config.logLevel);
  const shutdown = new Shutdown(logger);
  shutdown.onSignals({ supervised: process.argv.includes(supervised_argument) });
  // A supervisor holds an IPC channel open for as long as it lives, kill -9 included.
  if (process.connected) process.once('disconnect', () => void shutdown.stopAndExit(0));
  try {
    const { done } = await start(config, logger, shutdown);
    await done;
  } catch (error) {
    logger.fatal({ err: error }, 'cannot go on');
    await shutdown.stopAndExit(1);
  }
}

function configOrExit(env: Readonly<Record<string, string | undefined>>): UptakeConfig {
  try {
    return loadConfig(env);
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
