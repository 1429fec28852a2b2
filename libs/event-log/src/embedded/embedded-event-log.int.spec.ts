import type { LogTuning, LogUnderTest } from '../contract/log-under-test.js';
import { eventLogContract } from '../event-log.contract.js';
import { EmbeddedEventLog } from './embedded-event-log.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';
import { createTestDatabase } from './test-database.js';

eventLogContract('embedded', async (): Promise<LogUnderTest> => {
  const database = await createTestDatabase(process.env['UPTAKE_TEST_DATABASE_URL']!);
  const databaseUrl = database.url;
  const limits = (tuning?: LogTuning): Partial<EmbeddedLogLimits> => ({
    pollMs: 250,
    retryMsMin: 20,
    ...tuning,
  });
  return {
    open: async (tuning) => {
      const log = new EmbeddedEventLog({ databaseUrl, limits: limits(tuning) });
      await log.open();
      return log;
    },
    childAddress: (tuning) => ({ driver: 'embedded', databaseUrl, limits: limits(tuning) }),
    expire: (log) => (log as EmbeddedEventLog).applyRetention(),
    remove: () => database.drop(),
  };
});
