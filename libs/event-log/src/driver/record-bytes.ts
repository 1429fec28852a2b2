import type { LogRecordInput } from '../event-log.js';

/**
 * About what a record occupies in the log before compression, in bytes, quickly: texts count by
 * their UTF-16 units.
 */
export function recordBytes({ key, value, headers }: LogRecordInput): number {
  let bytes = key.length + value.length;
  for (const name in headers) bytes += name.length + headers[name]!.length;
  return bytes;
}
