import { EmbeddedEventLog } from '../embedded/embedded-event-log.js';
import type { EmbeddedLogLimits } from '../embedded/embedded-log-limits.js';
import type { EventLog } from '../event-log.js';
import { KafkaEventLog, type KafkaEventLogOptions } from '../kafka/kafka-event-log.js';
import type { KafkaLogLimits } from '../kafka/kafka-log-limits.js';

/** Where a child process finds the log under test; plain values, they travel as an argument. */
export type ChildAddress =
  | {
      readonly driver: 'embedded';
      readonly databaseUrl: string;
      readonly limits: Partial<EmbeddedLogLimits>;
    }
  | {
      readonly driver: 'kafka';
      readonly settings: KafkaEventLogOptions['settings'];
      readonly limits: Partial<KafkaLogLimits>;
    };

export async function openChildLog(address: ChildAddress): Promise<EventLog> {
  const log =
    address.driver === 'embedded' ? new EmbeddedEventLog(address) : new KafkaEventLog(address);
  await log.open();
  return log;
}
