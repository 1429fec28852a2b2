import type { UsageAccepted } from '#contracts/messages/usage-accepted.js';
import type { UsageReceived } from '#contracts/messages/usage-received.js';
import {
  topicSpecsFor,
  usageAcceptedTopic,
  usageReceivedQuarantineTopic,
  usageReceivedTopic,
} from '#contracts/topics.js';
import type { LogRecord } from '#event-log/event-log.js';
import { openEventLog } from '#event-log/open-event-log.js';
import type { UptakeConfig } from '#runtime/config.js';
import { createLogger } from '#runtime/logger.js';

/** Everything in the log that speaks of events, at one moment. */
export interface LogContents {
  readonly received: readonly UsageReceived[];
  readonly accepted: readonly UsageAccepted[];
  readonly quarantined: readonly { readonly eventId: string; readonly reason: string }[];
}

/** Reads the topics from their beginning to where they end now. */
export async function readLogContents(config: UptakeConfig): Promise<LogContents> {
  const log = await openEventLog(config, createLogger('spec', 'silent'));
  const all = async (topic: string): Promise<readonly LogRecord[]> => {
    const records: LogRecord[] = [];
    for await (const batch of log.read(topic)) records.push(...batch.records);
    return records;
  };
  try {
    await log.ensureTopics(topicSpecsFor(log.driver));
    const quarantined = await all(usageReceivedQuarantineTopic.name);
    return {
      received: (await all(usageReceivedTopic.name)).flatMap((record) => readableBodyOf(record)),
      accepted: (await all(usageAcceptedTopic.name)).map((record) => bodyOf<UsageAccepted>(record)),
      quarantined: quarantined.map(({ key, headers }) => ({
        eventId: key,
        reason: headers['quarantine.reason'] ?? '',
      })),
    };
  } finally {
    await log.close();
  }
}

/** Specs put records there that no one can read. */
function readableBodyOf(record: LogRecord): UsageReceived[] {
  try {
    return [bodyOf<UsageReceived>(record)];
  } catch {
    return [];
  }
}

function bodyOf<Body>(record: LogRecord): Body {
  return JSON.parse(Buffer.from(record.value).toString('utf8')) as Body;
}
