import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '#runtime/load-config.js';
import { createLogger } from '#runtime/logger.js';
import { createTestDatabase } from './embedded/test-database.js';
import { openEventLog } from './open-event-log.js';

const logger = createLogger('test', 'silent');
const identity = { IDENTITY_PEPPER: 'x'.repeat(32) };

describe('openEventLog', () => {
  it('opens the embedded log in the configured PostgreSQL', async () => {
    const database = await createTestDatabase(process.env['UPTAKE_TEST_DATABASE_URL']!);
    const log = await openEventLog(loadConfig({ ...identity, DATABASE_URL: database.url }), logger);
    expect(log.driver).toBe('embedded');
    expect(await log.health()).toMatchObject({ up: true });
    await log.close();
    await database.drop();
  });

  it('says that it cannot reach Kafka rather than using another log in silence', async () => {
    const config = loadConfig({ ...identity, KAFKA_BROKERS: 'localhost:9092' });
    await expect(openEventLog(config, logger)).rejects.toThrow('KAFKA_BROKERS');
  });

  it('names the setting that is missing when there is no address', async () => {
    await expect(openEventLog(loadConfig(identity), logger)).rejects.toThrow('DATABASE_URL');
  });
});
