import { createReadStream } from 'node:fs';
import { open, realpath, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { DirectoryInUseError, lockDirectory } from '#embedded-engines/directory-lock.js';
import type { EventLog } from '#event-log/event-log.js';
import { CommandFailedError } from '../command-failed.js';
import type { Progress } from '../operations/progress.js';
import { toShownRecord, type ShownRecord } from './shown-record.js';
import { walkSpans, type Span } from './spans.js';

const newline = 10;
const lock_attempts_max = 10;

/** What an earlier run has left in a file. */
export interface ExportedBefore {
  /** Bytes of the complete lines. */
  readonly bytes: number;
  readonly records: number;
  /** First and last offset by partition. */
  readonly partitions: ReadonlyMap<number, { readonly first: number; readonly last: number }>;
}

/**
 * Holds the file of an export for this process alone while `work` is done, by a folder beside it.
 * @throws CommandFailedError while another process holds it, or when it is no file that can be
 * continued.
 */
export async function holdingFile<T>(path: string, work: () => Promise<T>): Promise<T> {
  const found = await stat(path).catch(() => null);
  if (found !== null && !found.isFile()) {
    throw new CommandFailedError(
      'no_file',
      `${path} is no regular file; without --out the records go to standard output.`,
    );
  }
  const lock = `${found === null ? path : await realpath(path)}.lock`;
  const release = await lockFolder(lock, path);
  try {
    return await work();
  } finally {
    await release();
    // Unless another process has come meanwhile.
    await rmdir(lock).catch(() => undefined);
  }
}

async function lockFolder(lock: string, path: string): Promise<() => Promise<void>> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await lockDirectory(lock);
    } catch (error) {
      if (error instanceof DirectoryInUseError) {
        throw new CommandFailedError('busy', `The process ${error.pid} is writing ${path} now.`);
      }
      const { code } = error as NodeJS.ErrnoException;
      // Whoever wrote it before may have taken the folder away in this very moment.
      if (code === 'ENOENT' && attempt < lock_attempts_max) continue;
      throw new CommandFailedError('no_file', `Beside ${path} nothing can be made (${code}).`);
    }
  }
}

/**
 * Reads what stands in the file of an export; nothing when there is none. A line that a crash has
 * cut off does not count.
 * @throws CommandFailedError when the file is something else.
 */
export async function exportedBefore(path: string, topic: string): Promise<ExportedBefore> {
  const partitions = new Map<number, { first: number; last: number }>();
  let bytes = 0;
  let records = 0;
  for await (const { line, isComplete } of linesOf(path)) {
    const record = isComplete ? recordOf(line) : null;
    if (isComplete ? record?.topic !== topic : !mayBegin(line, topic)) {
      throw new CommandFailedError(
        'other_file',
        `Line ${records + 1} of ${path} is no record of ${topic}; name another file with --out.`,
      );
    }
    if (record === null) break;
    const { partition, offset } = record;
    partitions.set(partition, { first: partitions.get(partition)?.first ?? offset, last: offset });
    bytes += line.length + 1;
    records += 1;
  }
  return { bytes, records, partitions };
}

/** The lines of a file, the last one also where its end is missing. */
async function* linesOf(
  path: string,
): AsyncGenerator<{ readonly line: Buffer; readonly isComplete: boolean }> {
  let rest = Buffer.alloc(0);
  try {
    for await (const chunk of createReadStream(path)) {
      let bytes = Buffer.concat([rest, chunk as Buffer]);
      for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline)) {
        yield { line: bytes.subarray(0, end), isComplete: true };
        bytes = bytes.subarray(end + 1);
      }
      rest = bytes;
    }
    if (rest.length > 0) yield { line: rest, isComplete: false };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Whether this may be a record of which a crash has cut the end off: it will be overwritten. */
function mayBegin(line: Buffer, topic: string): boolean {
  const [head] = JSON.stringify({ topic }).split('}') as [string];
  const text = line.toString('utf8');
  return text.startsWith(head) || head.startsWith(text);
}

function recordOf(line: Buffer): ShownRecord | null {
  try {
    return JSON.parse(line.toString('utf8')) as ShownRecord | null;
  } catch {
    return null;
  }
}

/**
 * The spans without what the file holds already.
 * @throws CommandFailedError when the file begins later than the export that is asked for.
 */
export function behindExported(
  spans: readonly Span[],
  { partitions }: ExportedBefore,
  path: string,
): readonly Span[] {
  return spans.map((span) => {
    const held = partitions.get(span.partition);
    if (held === undefined) return span;
    if (span.from < held.first) {
      throw new CommandFailedError(
        'other_export',
        `${path} begins at ${span.topic}/${span.partition}/${held.first}, after ${span.from}; ` +
          'name another file with --out, or the --from that it was begun with.',
      );
    }
    const from = Math.min(Math.max(span.from, held.last + 1), span.to);
    return { ...span, from };
  });
}

export interface ExportTask {
  readonly spans: readonly Span[];
  /** Bytes to keep of the file. */
  readonly bytes: number;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Appends the records of the spans to the file; `done` is false when the signal ended it. */
export async function exportToFile(
  log: EventLog,
  path: string,
  { spans, bytes, progress, signal }: ExportTask,
): Promise<{ readonly records: number; readonly done: boolean }> {
  const file = await open(path, 'a');
  let records = 0;
  try {
    await file.truncate(bytes);
    for await (const batch of walkSpans(log, spans)) {
      await writeAll(
        file,
        batch.records.map((record) => JSON.stringify(toShownRecord(record))),
      );
      records += batch.records.length;
      progress.show(records);
      if (signal.aborted) return { records, done: false };
    }
    return { records, done: true };
  } finally {
    await file.sync();
    await file.close();
  }
}

async function writeAll(file: FileHandle, lines: readonly string[]): Promise<void> {
  await file.appendFile(lines.map((line) => `${line}\n`).join(''));
}
