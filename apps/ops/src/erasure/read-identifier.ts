import { createInterface } from 'node:readline/promises';
import { event_limits } from '#domain/limits.js';
import { codePoints } from '#domain/text/code-points.js';
import { UsageError } from '../usage-error.js';

/** Bytes of the longest identifier, every sign escaped, in quotes and with its end of line. */
const bytes_max = 12 * event_limits.identifier_characters_max + 4;

/**
 * One identifier from standard input, without its end of line, or out of a string in JSON: what
 * stands on a command line is kept in the history of shells and shown in lists of processes. A
 * terminal is asked for it.
 * @throws UsageError when there is none, or more than one line, or no string in JSON.
 */
export async function readIdentifier(
  what: string,
  { json = false } = {},
  input: NodeJS.ReadStream = process.stdin,
): Promise<string> {
  const text = input.isTTY ? await ask(what, input) : await readAll(input);
  const identifier = json ? fromJson(text) : fromLine(what, text);
  if (codePoints(identifier) > event_limits.identifier_characters_max) throw tooLong();
  return identifier;
}

function fromLine(what: string, text: string): string {
  const identifier = text.replace(/\r?\n$/, '');
  if (identifier.trim() === '') {
    throw new UsageError(`Standard input holds no ${what}; for example: ops erase … < file`);
  }
  if (/[\r\n]/.test(identifier))
    throw new UsageError(`Standard input holds more than one ${what}.`);
  return identifier;
}

function fromJson(text: string): string {
  try {
    const identifier: unknown = JSON.parse(text);
    if (typeof identifier === 'string' && identifier !== '') return identifier;
  } catch {
    // Told below; what was read is not repeated.
  }
  throw new UsageError('Standard input holds no string in JSON, such as "one\\nof two lines".');
}

async function ask(what: string, input: NodeJS.ReadStream): Promise<string> {
  const lines = createInterface({ input, output: process.stderr });
  try {
    return await lines.question(`${what}: `);
  } finally {
    lines.close();
  }
}

async function readAll(input: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    chunks.push(Buffer.from(chunk as Buffer));
    bytes += chunks.at(-1)!.length;
    if (bytes > bytes_max) throw tooLong();
  }
  return Buffer.concat(chunks).toString('utf8');
}

function tooLong(): UsageError {
  return new UsageError('Standard input is too long for an identifier.');
}
