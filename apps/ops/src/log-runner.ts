import type { Command } from 'commander';
import { UnknownTopicError, type EventLog } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import type { Database } from '#postgres/database.js';
import type { DirectoryStore } from '#postgres/organizations/directory-store.js';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import type { Answer } from './answer.js';
import { CommandFailedError } from './command-failed.js';
import { databaseUrl, no_pepper, type Environment } from './database-address.js';
import type { GlobalOptions, printed, RunCommand } from './run-command.js';

/** What commands that speak to the event log work with. */
export interface LogTools {
  readonly log: EventLog;
  readonly database: Database;
  readonly store: DirectoryStore;
}

/** Opens database and event log, does the work of a command and prints its answer. */
export type RunOnLog = (
  command: Command,
  work: (tools: LogTools) => Promise<Answer | typeof printed>,
) => Promise<void>;

/** The log is the one of the `KAFKA_*` variables, else the embedded one in the database. */
export function logRunner(env: Environment, run: RunCommand): RunOnLog {
  return (command, work) =>
    run(command, async (store, database) => {
      const log = await openLog(command.optsWithGlobals<GlobalOptions>(), env);
      try {
        return await work({ log, database, store });
      } catch (error) {
        if (!(error instanceof UnknownTopicError)) throw error;
        throw new CommandFailedError(
          'topic_not_found',
          `The event log has no topic "${error.topic}"; "ops log topics" shows them.`,
        );
      } finally {
        await log.close();
      }
    });
}

async function openLog({ dataDir, json }: GlobalOptions, env: Environment): Promise<EventLog> {
  const kafka = Object.entries(env).filter(([name]) => name.startsWith('KAFKA_'));
  const config = loadConfig({
    ...Object.fromEntries(kafka),
    DATABASE_URL: await databaseUrl(dataDir, env),
    IDENTITY_PEPPER: no_pepper,
  });
  // Standard output is the answer's, and with --json standard error is one value, too.
  const level = json === true ? 'silent' : 'error';
  return openEventLog(config, createLogger('ops', level, process.stderr));
}
