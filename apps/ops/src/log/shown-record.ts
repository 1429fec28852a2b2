import type { LogRecord } from '#event-log/event-log.js';

/** The log never holds credentials; a header that looks like one is not shown even so. */
const secret_header = /authorization|cookie|secret|password|token|api-?key/i;

/** A record as commands print it. */
export interface ShownRecord {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  /** ISO 8601 UTC. */
  readonly appendedAt: string;
  readonly key: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The JSON that it holds, else null. */
  readonly value: unknown;
  /** Only of a value that is no JSON: its bytes. */
  readonly valueBase64?: string;
}

export function toShownRecord(record: LogRecord): ShownRecord {
  const { topic, partition, offset, appendedAt, key, headers } = record;
  const value = jsonOf(record);
  return {
    topic,
    partition,
    offset: Number(offset),
    appendedAt: new Date(appendedAt).toISOString(),
    key,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, text]) => [
        name,
        secret_header.test(name) ? '[redacted]' : text,
      ]),
    ),
    value: value === undefined ? null : value,
    ...(value === undefined && { valueBase64: Buffer.from(record.value).toString('base64') }),
  };
}

/** The JSON of a record's value; undefined when it is none. */
export function jsonOf({ value }: LogRecord): unknown {
  try {
    return JSON.parse(Buffer.from(value).toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** The organization that an event of the log says it belongs to, or null. */
export function organizationIdOf(record: LogRecord): string | null {
  const message = jsonOf(record);
  if (typeof message !== 'object' || message === null) return null;
  const { organizationId } = message as { readonly organizationId?: unknown };
  return typeof organizationId === 'string' ? organizationId : null;
}
