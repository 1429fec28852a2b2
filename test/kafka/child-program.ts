import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** @throws Error that names the program and shows what it said; what it was given may be secret. */
export async function runProgram(
  name: string,
  given: readonly string[],
  timeout: number,
): Promise<void> {
  try {
    await run(name, given, { timeout });
  } catch (error) {
    const { code, stdout, stderr } = error as { code?: unknown; stdout?: string; stderr?: string };
    if (code === 'ENOENT') {
      throw new Error(`"${name}" was not found; the broker needs Java 17 and Maven.`);
    }
    throw new Error(`${name} failed:\n${stdout ?? ''}${stderr ?? ''}`.trim());
  }
}

export async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
