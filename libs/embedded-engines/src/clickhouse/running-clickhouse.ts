import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clickhouse_user } from './authorization.js';

const port_file = 'port';

/** Leaves a note in the engine's folder of where it listens. */
export async function noteClickHousePort(directory: string, port: number): Promise<void> {
  const draft = join(directory, `${port_file}.new`);
  await writeFile(draft, `${port}\n`, { mode: 0o600 });
  await rename(draft, join(directory, port_file));
}

/** Address of the engine that runs, or ran last, on this folder; null when none ever did. */
export async function runningClickHouseUrl(directory: string): Promise<string | null> {
  const read = (name: string) => readFile(join(directory, name), 'utf8').catch(() => '');
  const [port, password] = await Promise.all([read(port_file), read('password')]);
  if (port.trim() === '' || password.trim() === '') return null;
  return `http://${clickhouse_user}:${password.trim()}@127.0.0.1:${Number(port)}`;
}
