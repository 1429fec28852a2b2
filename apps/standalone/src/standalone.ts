import { EngineStartError } from '#embedded-engines/engine.js';
import type { UptakeConfig } from '#runtime/config.js';
import { InvalidConfigError, loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { Shutdown } from '#runtime/shutdown.js';
import { startInstallation, type Environment } from './installation.js';
import { StartRefusedError } from './start-refused.js';
import { welcome } from './welcome.js';

/** The pepper is read from the data directory, whose name is part of the configuration. */
const pepper_not_read_yet = '-'.repeat(32);

/**
 * The whole service from one command: engines, apps, demo. Runs until a signal. Exit code 1 when
 * it cannot start or a child cannot be kept running, 2 when the configuration is wrong.
 */
export async function runStandalone(env: Environment): Promise<void> {
  const config = configOrExit(env);
  const logger = createLogger('standalone', config.logLevel);
  const shutdown = new Shutdown(logger);
  const stopping = new AbortController();
  shutdown.onSignals();
  try {
    const installation = await startInstallation(config, env, logger, shutdown);
    shutdown.add('welcome', () => Promise.resolve(stopping.abort()));
    if (config.appsLeftOut === undefined) await welcome(installation, logger, stopping.signal);
    else process.stdout.write(`\n${config.dataDir} runs without ${config.appsLeftOut}.\n`);
  } catch (error) {
    if (stopping.signal.aborted) return;
    if (error instanceof StartRefusedError || error instanceof EngineStartError) {
      process.stderr.write(`${error.message}\n`);
    } else {
      logger.fatal({ err: error }, 'cannot go on');
    }
    await shutdown.stopAndExit(1);
  }
}

function configOrExit(env: Environment): UptakeConfig {
  try {
    return loadConfig({ ...env, IDENTITY_PEPPER: env['IDENTITY_PEPPER'] || pepper_not_read_yet });
  } catch (error) {
    if (!(error instanceof InvalidConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}
