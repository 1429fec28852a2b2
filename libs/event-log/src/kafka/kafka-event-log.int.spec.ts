import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { LogTuning, LogUnderTest } from '../contract/log-under-test.js';
import { eventLogContract } from '../event-log.contract.js';
import { KafkaEventLog } from './kafka-event-log.js';
import type { KafkaLogLimits } from './kafka-log-limits.js';
import { applyRetention } from './test-retention.js';

const address = process.env['UPTAKE_TEST_KAFKA_BROKERS'];
const not_tried = 'event log contract: kafka driver not tried here (npm run test:kafka tries it)';

if (address === undefined) {
  describe(not_tried, () => {
    it('has no broker: UPTAKE_TEST_KAFKA_BROKERS is not set', () => {
      process.stdout.write(`${not_tried}\n`);
      expect(address).toBeUndefined();
    });
  });
} else {
  eventLogContract('kafka', async (): Promise<LogUnderTest> => {
    const brokers = address.split(',');
    const topicPrefix = `${randomUUID().slice(0, 8)}.`;
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
      remove: async () => undefined,
    };
  });
}
