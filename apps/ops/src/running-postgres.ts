import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { database, superuser } from '#embedded-engines/postgres/cluster.js';
import { CommandFailedError } from './command-failed.js';

const port_line = 3;
const status_line = 7;

/**
 * Address of the Postgres that a running `npm start` keeps below its data directory: the server
 * writes its port into `postmaster.pid`, the password lies in a file that only its owner can read.
 * @throws CommandFailedError when none runs there.
 */
export async function runningPostgresUrl(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'postgres');
  try {
    const [postmaster, password] = await Promise.all([
      readFile(join(folder, 'cluster', 'postmaster.pid'), 'utf8'),
      readFile(join(folder, 'password'), 'utf8'),
    ]);
    const lines = postmaster.split('\n');
    const port = Number(lines[port_line]);
    if (Number.isInteger(port) && lines[status_line]?.trim() === 'ready') {
      return `postgres://${superuser}:${password.trim()}@127.0.0.1:${port}/${database}`;
    }
  } catch (error) {
    if (!isFileError(error)) throw error;
  }
  throw new CommandFailedError(
    'not_running',
    `No Postgres of Uptake runs below ${dataDir}, or its files are another user's. Start ` +
      'it with "npm start"; if that one was given a DATABASE_URL, set the same one here.',
  );
}

function isFileError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}
