import { readFile, rename, writeFile } from 'node:fs/promises';

/** `credentials.json`: everything a person or a script needs to talk to this installation. */
export interface Credentials {
  readonly baseUrl: string;
  readonly organizationTrackingKey: string | null;
  readonly productTrackingKey: string | null;
  readonly developerToken: string | null;
  readonly projectToken: string | null;
  readonly sessionCookie: string | null;
  readonly enterpriseReadKey: string | null;
}

/** What an earlier start wrote; `null` without a readable file. */
export async function readCredentials(file: string): Promise<Credentials | null> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Credentials;
  } catch {
    return null;
  }
}

/** Written whole or not at all, readable by its owner only. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  const draft = `${file}.new`;
  await writeFile(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
