import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { LogTuning, LogUnderTest } from '../contract/log-under-test.js';
import { eventLogContract } from '../event-log.contract.js';
import { EmbeddedEventLog } from './embedded-event-log.js';
import type { EmbeddedLogLimits } from './embedded-log-limits.js';

eventLogContract('embedded', async (): Promise<LogUnderTest> => {
  const server = process.env['UPTAKE_TEST_DATABASE_URL']!;
  const name = `event_log_${randomUUID().replaceAll('-', '')}`;
  await administer(server, `create database ${name}`);
  const databaseUrl = Object.assign(new URL(server), { pathname: `/${name}` }).href;
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
    remove: () => administer(server, `drop database ${name} with (force)`),
  };
});

async function administer(server: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(sql);
  await client.end();
}
