import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';

const secret_bytes = 24;

/**
 * The secret kept in `file`, made on first use: 48 hexadecimal digits, readable by its owner only.
 * The file appears complete or not at all, and the first of two concurrent calls wins.
 */
export async function keptSecret(file: string): Promise<string> {
  const known = await readSecret(file);
  if (known !== null) return known;
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, randomBytes(secret_bytes).toString('hex'), { mode: 0o600 });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  const kept = await readSecret(file);
  if (kept === null) throw new Error(`The secret file ${file} is empty.`);
  return kept;
}

async function readSecret(file: string): Promise<string | null> {
  try {
    const text = (await readFile(file, 'utf8')).trim();
    return text === '' ? null : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
