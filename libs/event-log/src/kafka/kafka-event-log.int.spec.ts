import { randomUUID } from 'node:crypto';
import type { LogTuning, LogUnderTest } from '../contract/log-under-test.js';
import { eventLogContract } from '../event-log.contract.js';
import { withKafka } from '../testing/with-kafka.js';
import { KafkaEventLog } from './kafka-event-log.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import { applyRetention } from './test-retention.js';

withKafka('event log contract', (brokers) => {
  eventLogContract('kafka', async (): Promise<LogUnderTest> => {
    const topicPrefix = `${randomUUID()}.`;
    const settings = { brokers, topicPrefix };
    const limits = (tuning?: LogTuning): Partial<KafkaLogLimits> => ({
      heartbeatMs: 150,
      sessionTimeoutMs: 6_000,
      retryMsMin: 20,
      ...tuning,
    });
    return {
      open: async (tuning) => {
        const log = new KafkaEventLog({ settings, limits: limits(tuning) });
        await log.open();
        return log;
      },
      childAddress: (tuning) => ({ driver: 'kafka', settings, limits: limits(tuning) }),
      expire: () => applyRetention(brokers, topicPrefix),
      // The broker ends with the run; other runs on it do not see the prefix of this one.
      remove: async () => undefined,
    };
  });
});
