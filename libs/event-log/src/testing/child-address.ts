import { EmbeddedEventLog } from '../embedded/embedded-event-log.js';
import type { EmbeddedLogLimits } from '../embedded/embedded-log-limits.js';
import type { EventLog } from '../event-log.js';

/** Where a child process finds the log under test; plain values, they travel as an argument. */
export interface ChildAddress {
  readonly driver: 'embedded';
  readonly databaseUrl: string;
  readonly limits: Partial<EmbeddedLogLimits>;
}

export async function openChildLog(address: ChildAddress): Promise<EventLog> {
  const log = new EmbeddedEventLog(address);
  await log.open();
  return log;
}
