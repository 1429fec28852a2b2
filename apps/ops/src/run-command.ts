import type { Command } from 'commander';
import { openDatabase, type Database } from '#postgres/database.js';
import { DirectoryStore } from '#postgres/organizations/directory-store.js';
import type { Answer } from './answer.js';
import { CommandFailedError } from './command-failed.js';
import { databaseUrl, type Environment } from './database-address.js';
import { printable } from './printable.js';

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

/** Writes to standard output; rejects when that is closed or full. */
export type Write = (text: string) => Promise<void>;

export function commandRunner(env: Environment, write: Write): RunCommand {
  return async (command, work) => {
    const { json, dataDir } = command.optsWithGlobals<GlobalOptions>();
    const url = await databaseUrl(dataDir, env);
    const database = await openDatabase({ url, app: 'ops', connectionsMax: 4 });
    try {
      const answer = await work(new DirectoryStore(database), database);
      if (answer === printed) return;
      const text = json === true ? JSON.stringify(answer.json) : answer.lines.join('\n');
      await write(`${printable(text)}\n`).catch((error: NodeJS.ErrnoException) => {
        // Who has read enough (`| head`) closes the pipe: that is no failure.
        if (error.code === 'EPIPE' && answer.unread === undefined) return;
        const why = `The answer could not be written (${error.code}).`;
        throw new CommandFailedError('answer_unread', [why, answer.unread ?? []].flat().join(' '));
      });
      if (answer.failure !== undefined) throw answer.failure;
    } finally {
      await database.destroy();
    }
  };
}
