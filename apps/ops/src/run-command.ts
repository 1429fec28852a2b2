import type { Command } from 'commander';
import { openDatabase, type Database } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import type { Answer } from './answer.js';
import { databaseUrl, type Environment } from './database-address.js';

/** Said by a command that has written its answer itself, piece by piece. */
export const printed = 'printed';

/** What a command does once the database is open. */
export type Work = (store: DirectoryStore, database: Database) => Promise<Answer | typeof printed>;

/** Opens the database, does the work of a command and prints its answer. */
export type RunCommand = (command: Command, work: Work) => Promise<void>;

export interface GlobalOptions {
  readonly json?: boolean;
  readonly dataDir?: string;
}

export function commandRunner(env: Environment, write: (text: string) => void): RunCommand {
  return async (command, work) => {
    const { json, dataDir } = command.optsWithGlobals<GlobalOptions>();
    const url = await databaseUrl(dataDir, env);
    const database = await openDatabase({ url, app: 'ops', connectionsMax: 4 });
    try {
      const answer = await work(new DirectoryStore(database), database);
      if (answer === printed) return;
      write(json === true ? `${JSON.stringify(answer.json)}\n` : `${answer.lines.join('\n')}\n`);
      if (answer.failure !== undefined) throw answer.failure;
    } finally {
      await database.destroy();
    }
  };
}
