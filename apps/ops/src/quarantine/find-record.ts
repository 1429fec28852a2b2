import type { EventLog, LogRecord } from '#event-log/event-log.js';
import type { RecordPlace } from '../arguments.js';
import { CommandFailedError } from '../command-failed.js';
import { walkSpans } from '../log/spans.js';

/** @throws CommandFailedError when the log does not hold it. */
export async function findRecord(
  log: EventLog,
  { topic, partition, offset }: RecordPlace,
): Promise<LogRecord> {
  const range = (await log.ranges(topic)).find((held) => held.partition === partition);
  if (range !== undefined && offset >= range.low && offset < range.high) {
    const from = Number(offset);
    for await (const { records } of walkSpans(log, [{ topic, partition, from, to: from + 1 }])) {
      return records[0]!;
    }
  }
  throw new CommandFailedError(
    'record_not_found',
    `The event log holds no record ${topic}/${partition}/${offset}; ` +
      `"ops log describe ${topic}" shows what is kept.`,
  );
}
