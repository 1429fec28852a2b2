import { setTimeout as pause } from 'node:timers/promises';
import { LogBackpressureError, type EventLog, type LogRecordInput } from '#event-log/event-log.js';

const wait_ms_max = 60_000;

/** Appends durably; a log that has to catch up is waited for. */
export async function appendPatiently(
  log: EventLog,
  topic: string,
  records: readonly LogRecordInput[],
): Promise<void> {
  if (records.length === 0) return;
  const end = Date.now() + wait_ms_max;
  for (;;) {
    try {
      await log.append(topic, records);
      return;
    } catch (error) {
      if (!(error instanceof LogBackpressureError) || Date.now() > end) throw error;
      await pause(error.retryAfterMs);
    }
  }
}
