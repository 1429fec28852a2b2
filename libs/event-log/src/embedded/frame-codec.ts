import type { LogRecordInput } from '../event-log.js';

/** A record as it stands in a frame: no topic, no offset, those belong to the row around it. */
export interface FrameRecord {
  readonly key: string;
  readonly value: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
}

/** The bytes are not a frame: truncated, altered, or written by a newer version. */
export class CorruptFrameError extends Error {
  constructor(detail: string) {
    super(`A frame of the event log cannot be read: ${detail}.`);
    this.name = 'CorruptFrameError';
  }
}

const index_length_bytes = 4;

/** What a frame says of its records before their values; the lists run in parallel. */
interface FrameIndex {
  readonly keys: readonly string[];
  /** Bytes of each value. */
  readonly sizes: readonly number[];
  readonly headers: readonly HeaderColumn[];
}

/**
 * One header of all records. The records of a request have most of their headers in common, so a
 * single text stands for all of them; no text at all means that each record's key is the text.
 */
interface HeaderColumn {
  readonly name: string;
  readonly all?: string;
  /** Null where a record does not have this header. */
  readonly each?: readonly (string | null)[];
}

/**
 * One frame: the length of its index in four bytes, the index as JSON, then the values one after
 * the other. Not compressed.
 */
export function encodeFrame(records: readonly LogRecordInput[]): Buffer {
  const keys = records.map(({ key }) => key);
  const sizes = records.map(({ value }) => Buffer.byteLength(value));
  const index: FrameIndex = { keys, sizes, headers: headerColumns(records, keys) };
  const text = JSON.stringify(index);
  const textBytes = Buffer.byteLength(text);
  const start = index_length_bytes + textBytes;
  const frame = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, start));
  frame.writeUInt32BE(textBytes);
  frame.write(text, index_length_bytes);
  let at = start;
  records.forEach(({ value }, index) => {
    if (typeof value === 'string') frame.write(value, at);
    else frame.set(value, at);
    at += sizes[index]!;
  });
  return frame;
}

/**
 * The records of a frame; values are views of `frame`, not copies, and records that have all
 * headers in common share one object of them.
 * @throws CorruptFrameError when the bytes do not form exactly one frame.
 */
export function decodeFrame(frame: Buffer): FrameRecord[] {
  if (frame.length < index_length_bytes) throw new CorruptFrameError('it ends early');
  const start = index_length_bytes + frame.readUInt32BE();
  if (start > frame.length) throw new CorruptFrameError('it ends early');
  const { keys, sizes, headers } = parseIndex(frame.toString('utf8', index_length_bytes, start));
  const shared = Object.fromEntries(
    headers.flatMap(({ name, all }) => (all === undefined ? [] : [[name, all]])),
  );
  const own = headers.filter(({ all }) => all === undefined);
  let at = start;
  const records = keys.map((key, index) => {
    const value = frame.subarray(at, at + sizes[index]!);
    at += sizes[index]!;
    return { key, value, headers: headersOf(index, key, shared, own) };
  });
  if (at !== frame.length) throw new CorruptFrameError(`its values take ${at - start} bytes`);
  return records;
}

function headerColumns(
  records: readonly LogRecordInput[],
  keys: readonly string[],
): readonly HeaderColumn[] {
  const columns = new Map<string, (string | null)[]>();
  records.forEach(({ headers }, index) => {
    for (const name in headers) {
      let column = columns.get(name);
      if (column === undefined) {
        column = new Array<string | null>(records.length).fill(null);
        columns.set(name, column);
      }
      column[index] = headers[name]!;
    }
  });
  return Array.from(columns, ([name, each]) => {
    const [all] = each;
    if (typeof all === 'string' && each.every((text) => text === all)) return { name, all };
    return each.every((text, index) => text === keys[index]) ? { name } : { name, each };
  });
}

function headersOf(
  index: number,
  key: string,
  shared: Readonly<Record<string, string>>,
  own: readonly HeaderColumn[],
): Readonly<Record<string, string>> {
  let headers = shared;
  for (const { name, each } of own) {
    const text = each === undefined ? key : each[index];
    // Not assigned but defined: `__proto__` is an ordinary header name here.
    if (typeof text === 'string') headers = { ...headers, [name]: text };
  }
  return headers;
}

function parseIndex(text: string): FrameIndex {
  try {
    return JSON.parse(text) as FrameIndex;
  } catch (error) {
    throw new CorruptFrameError(error instanceof Error ? error.message : String(error));
  }
}
